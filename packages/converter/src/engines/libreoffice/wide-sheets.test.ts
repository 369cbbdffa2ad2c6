import { expect, test } from 'vitest'
import { wideSheets } from './wide-sheets.ts'

const remarkOn = (untrustedReport: string) => wideSheets({ untrustedReport }).join()

test('the remark counts wide sheets and names the option', () => {
  expect(remarkOn('done wide 1\n')).toMatch(/^One sheet is .* `sheets` set to `fit-width` it is/)
  expect(remarkOn('done wide 12\n')).toMatch(/^12 sheets are .* `sheets` set to `fit-width` they are/)
})

test.each(['done\n', 'done wide\n', 'done wide 1x', 'failed load 1 done wide 3\n', 'done wide 1234567\n'])(
  'there is no remark for %j',
  (report) => expect(remarkOn(report)).toBe(''),
)
