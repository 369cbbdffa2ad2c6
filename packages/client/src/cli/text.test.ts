import { expect, test } from 'vitest'
import { columnsOf, fit, harmless, sizeText, table } from './text.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1024, '1.0 KB'],
  [1_048_576, '1.0 MB'],
  [157_286_400, '150 MB'],
  [5e12, '4.5 TB'],
  [5e15, '4547 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})

test('columns are counted as a terminal does', () => {
  expect(columnsOf('abc')).toBe(3)
  expect(columnsOf('報告')).toBe(4)
  expect(columnsOf('e\u0301')).toBe(1)
})

test('a name that is too long loses its middle', () => {
  expect(fit('short', 8)).toBe('short   ')
  expect(fit('a-very-long-name.docx', 11)).toBe('a-ver….docx')
  expect(columnsOf(fit('とても長い名前の報告書.docx', 12))).toBe(12)
})

test('nothing steers the terminal', () => {
  expect(harmless('a\u001b[31mb\u0007\u202ec\nd')).toBe('a?[31mb??c?d')
})

test('a table is as wide as its widest cells', () => {
  expect(
    table([
      ['A', 'B'],
      ['long', 'x'],
    ]),
  ).toBe('A     B\nlong  x\n')
})
