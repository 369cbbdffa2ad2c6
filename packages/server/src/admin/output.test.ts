import { expect, test } from 'vitest'
import { createPrinter, formatTable } from './output.ts'

test('a table lines up its columns and shows nothing as a dash', () => {
  const time = new Date('2026-01-02T03:04:05.678Z')
  expect(
    formatTable([
      { id: 'a', when: time },
      { id: 'long', when: null },
    ]),
  ).toBe('id    when\na     2026-01-02T03:04:05.678Z\nlong  -\n')
  expect(formatTable([])).toBe('(none)\n')
})

test('JSON is for programs', () => {
  let printed = ''
  const printer = createPrinter(true, (text) => {
    printed += text
  })
  printer.rows('keys', [{ id: 'a' }])
  expect(JSON.parse(printed)).toEqual({ keys: [{ id: 'a' }] })
})
