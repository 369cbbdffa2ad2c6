import { expect, test } from 'vitest'
import { fittedSheets } from './fitted-sheets.ts'

const told = (untrustedReport: string) => fittedSheets({ untrustedReport }).join()

test('sheets that were fitted are told, one or many', () => {
  expect(told('done fitted 1\n')).toMatch(/^One sheet is .* it was fitted/)
  expect(told('done fitted 12\n')).toMatch(/^12 sheets are .* they were fitted/)
})

test.each([
  'done\n',
  'done fitted\n',
  'done fitted 1x',
  'failed load 1 done fitted 3\n',
  'done fitted 1234567\n',
])('nothing is told of %j', (report) => expect(told(report)).toBe(''))
