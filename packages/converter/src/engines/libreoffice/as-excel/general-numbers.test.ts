import { expect, test } from 'vitest'
import { generalText } from './general-numbers.ts'
import { setPrintLayout } from './print-layout.ts'
import { readStyles } from './workbook-styles.ts'

// What Excel shows in a default column, which has room for 8.43 digits, and in a wide one.
test.each([
  [1 / 3, '0.333333', '0.333333333'],
  [-1 / 3, '-0.33333', '-0.333333333'],
  [-835.7224, '-835.722', '-835.7224'],
  [10 / 3, '3.333333', '3.333333333'],
  [20_000 / 3, '6666.667', '6666.666667'],
  [45_356.6041666667, '45356.6', '45356.60417'],
  [1_234_567.891, '1234568', '1234567.891'],
  [12_345_678.9, '12345679', '12345678.9'],
  [0.1 + 0.2, '0.3', '0.3'],
])('%d is %s in a default column, %s in a wide one', (value, shown, wide) => {
  expect(generalText(value, 8.43)).toEqual({ plain: shown })
  expect(generalText(value, 40)).toEqual({ plain: wide })
})

test('the width of a column is truncated in the file', () => {
  expect(generalText(1 / 3, 10.7109375 - 5 / 7)).toEqual({ plain: '0.33333333' })
})

// 1.23457E+11 in a wide column, 1.23E+11 in a default one.
test.each([
  [123_456_789_012, 2, 5],
  [-123_456_789_012, 1, 5],
  [5_901_234_123_457, 1, 5],
  [1e11, 0, 0],
  [1.5e20, 1, 1],
  [1e-10, 0, 0],
  [0.000012345678, 2, 5],
])('%d has an exponent, after %i decimals in a default column and %i in a wide one', (value, shown, wide) => {
  expect(generalText(value, 8.43)).toEqual({ decimals: shown })
  expect(generalText(value, 40)).toEqual({ decimals: wide })
})

test.each([
  [123_456_789, 8, { decimals: 2 }],
  [123_456_789, 9, { plain: '123456789' }],
  [99_999.7, 5, { decimals: 0 }],
  [123_456_789, 4, undefined],
  [0.00001234, 12, undefined],
  [0, 8, undefined],
  [Number.NaN, 8, undefined],
])('%d in a column of %d digits', (value, digits, shown) => {
  expect(generalText(value, digits)).toEqual(shown)
})

test('values without a number format are rounded, others stay as they are', () => {
  const styles = readStyles(
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="General"/><numFmt numFmtId="165" formatCode="0.0%"/></numFmts>' +
      '<fonts><font><sz val="11"/><name val="Calibri"/></font><font><sz val="22"/><name val="Calibri"/></font></fonts>' +
      '<cellStyleXfs><xf fontId="0"/></cellStyleXfs><cellXfs><xf fontId="0" numFmtId="0"/><xf fontId="0" numFmtId="165"/>' +
      '<xf fontId="1" numFmtId="164"/><xf fontId="0" numFmtId="0"><alignment shrinkToFit="1"/></xf></cellXfs></styleSheet>',
  )
  if (!styles) throw new Error('There are styles.')
  const cell = (reference: string, more = '', value = '0.333333333333333') =>
    `<c r="${reference}"${more}><v>${value}</v></c>`
  const sheet =
    '<worksheet><sheetFormatPr defaultRowHeight="15"/><cols><col min="2" max="3" width="20.7109375"/></cols><sheetData><row r="1">' +
    cell('A1') +
    cell('B1') +
    cell('A2', ' s="1"') +
    cell('A3', ' s="2"') +
    cell('A4', ' s="3"') +
    cell('A5', ' t="str"') +
    cell('A6', '', '1.5') +
    cell('A7') +
    cell('A8', ' s="0"', '123456789') +
    '</row></sheetData><mergeCells><mergeCell ref="A7:D7"/></mergeCells></worksheet>'
  const formats: string[] = []
  const changed = setPrintLayout(
    sheet,
    styles,
    undefined,
    (format, code) => 10 + formats.push(`${format} ${code}`),
  )
  const values = Array.from(changed.matchAll(/<v>(.*?)<\/v>/g), ([, value]) => value)
  const whole = '0.333333333333333'
  expect(values).toEqual([
    '0.333333',
    '0.333333333',
    whole,
    '0.33',
    whole,
    whole,
    '1.5',
    '0.333333333',
    '123456789',
  ])
  expect(formats).toEqual(['0 0.00E+00'])
  expect(changed).toContain('<c r="A8" s="11">')
})
