import { expect, test } from 'vitest'
import { commonPaper, createHeightRounding, setPrintLayout } from './print-layout.ts'
import { columnFactor, defaultColumnWidth } from './printed-units.ts'
import { readStyles } from './workbook-styles.ts'

const styles = (font: string, size: number) =>
  readStyles(
    `<styleSheet><fonts><font><sz val="9"/><name val="Other"/></font><font><sz val="${size}"/><name val="${font}"/></font>` +
      `<font><sz val="20"/><name val="${font}"/></font></fonts><cellStyleXfs><xf fontId="0"/><xf fontId="1"/></cellStyleXfs>` +
      '<cellXfs><xf fontId="1"/><xf fontId="2"/><xf fontId="1"><alignment wrapText="1"/></xf>' +
      '<xf fontId="1"><alignment horizontal="justify"/></xf></cellXfs>' +
      '<cellStyles><cellStyle name="Normal" xfId="1" builtinId="0"/></cellStyles></styleSheet>',
  )

test('the Normal font and the formats that raise a row are read from the styles', () => {
  expect(styles('Calibri', 11)).toMatchObject({
    normalFont: { name: 'Calibri', size: 11 },
    raisesRow: [false, true, true, true],
  })
  expect(readStyles('<styleSheet/>')).toBeUndefined()
})

// Widths of LibreOffice's columns and of those that Excel for Windows printed, per unit of width in points.
test.each([
  ['Calibri', 11, 5.55, 5.64],
  ['Arial', 10, 5.55, 5.52],
  ['Segoe UI Semilight', 10, 5.5, 5.52],
  ['ＭＳ Ｐゴシック', 11, 6.1, 5.52],
])('columns of %s %d have the unit that Excel prints', (name, size, libreOffice, excel) => {
  expect(libreOffice * columnFactor({ name, size })).toBeCloseTo(excel, 6)
})

test('a font whose digits are not known keeps its widths', () => {
  expect(columnFactor({ name: 'constructor', size: 11 })).toBe(1)
  expect(defaultColumnWidth({ name: 'Unknown', size: 11 })).toBeUndefined()
})

// In screen pixels, and in those of the same column when it is printed: Microsoft's figures and users' measurements.
test.each([
  ['Courier New', 11, 80, 78],
  ['Comic Sans MS', 11, 80, 80],
  ['Calibri', 11, 64, 69],
])('default columns of %s %d are %d pixels wide, printed %d', (name, size, screen, printed) => {
  const width = defaultColumnWidth({ name, size }) ?? 0
  const digit = { Calibri: 7, 'Courier New': 9, 'Comic Sans MS': 9 }[name] ?? 0
  expect(width * digit).toBeCloseTo(screen, 6)
  const libreOffice = { Calibri: 5.55, 'Courier New': 6.6, 'Comic Sans MS': 6.7 }[name] ?? 0
  expect(Math.round((width * libreOffice * columnFactor({ name, size }) * 96) / 72)).toBe(printed)
})

test('default columns of half-width fonts have digits of whole pixels', () => {
  expect((defaultColumnWidth({ name: 'SimSun', size: 11 }) ?? 0) * 8).toBe(72)
})

test('default columns with a base width', () => {
  const wide = layOut(sheet('', '<sheetFormatPr baseColWidth="10" defaultRowHeight="15"/>'))
  expect(wide).toContain(`defaultColWidth="${Number(((80 / 7) * (5.64 / 5.55)).toFixed(4))}"`)
})

const layOut = (sheet: string, font = 'Calibri', size = 11) => {
  const found = styles(font, size)
  if (!found) throw new Error(font)
  return setPrintLayout(sheet, found)
}
const margins = '<pageMargins left="1"/>'
const sheet = (rows: string, format = '') =>
  `<worksheet>${format}<sheetData>${rows}</sheetData>${margins}</worksheet>`
const heightsIn = (xml: string) =>
  Array.from(xml.matchAll(/<row[^<>]* ht="([\d.]+)"[^<>]* customHeight="1"/g), ([, height]) => Number(height))

test('stored heights count, at the height that is printed', () => {
  const rows = Array.from({ length: 100 }, () => '<row ht="30"><c/></row>').join('')
  const heights = heightsIn(layOut(sheet(rows)))
  expect(heights).toHaveLength(100)
  const printed = heights.map((points) => Math.floor((points * 20 * 127) / 72) / (2540 / 72))
  expect(printed.reduce((sum, points) => sum + points, 0)).toBeCloseTo(100 * 29.04, 0)
})

test('heights in whole screen pixels follow the printed ones over a page', () => {
  const roundHeight = createHeightRounding(0.75)
  const heights = Array.from({ length: 50 }, () => roundHeight(14.52))
  expect(new Set(heights)).toEqual(new Set([14.25, 15]))
  expect(Math.abs(heights.reduce((sum, points) => sum + points, 0) - 50 * 14.52)).toBeLessThan(1.5)
})

test.each(['14.4', '14.5', '14.25'])(
  'default rows of %s points, on scaled displays, are printed alike',
  (height) => {
    const rows = Array.from({ length: 10 }, () => `<row ht="${height}"><c/></row>`).join('')
    const printed = (format: string) =>
      heightsIn(layOut(sheet(rows, `<sheetFormatPr ${format}/>`))).reduce((sum, points) => sum + points, 0)
    expect(printed(`defaultRowHeight="${height}"`)).toBeCloseTo(145.2, 0)
    expect(printed(`defaultRowHeight="${height}" customHeight="1"`)).toBeCloseTo(9.68 * Number(height), 0)
  },
)

test('a row without a height gets the default one, unless a cell may make it higher', () => {
  const rows = '<row r="1"><c/></row><row r="2"><c s="1"/></row><row r="3"><c s="2"/></row>'
  const laidOut = layOut(sheet(rows, '<sheetFormatPr defaultRowHeight="15"/>'))
  expect(laidOut).toContain('<row r="1" ht="14.5" customHeight="1"><c/></row><row r="2"><c s="1"/></row>')
  expect(laidOut).toMatch(
    /<sheetFormatPr defaultRowHeight="14.52" customHeight="1" defaultColWidth="9.2911"\/>/,
  )
})

test.each([
  ['<pageSetup orientation="landscape"/>', '<pageSetup paperSize="1"/>'],
  ['<x:pageSetup paperSize="9" r:id="rId1"/>', '<pageSetup paperSize="9"/>'],
])('a sheet without a page set-up has the paper of the others: %s', (other, setup) => {
  const paper = commonPaper([sheet('') + other, sheet('')])
  const found = styles('Calibri', 11)
  if (!found) throw new Error('no styles')
  expect(setPrintLayout(sheet(''), found, paper)).toContain(`${margins}${setup}</worksheet>`)
  expect(setPrintLayout(sheet('', other), found, paper)).not.toContain(`${setup}</worksheet>`)
})

test('sheets of different papers say nothing about one without', () => {
  expect(commonPaper(['<pageSetup paperSize="9"/>', '<pageSetup/>'])).toBeUndefined()
  expect(commonPaper([sheet('')])).toBeUndefined()
})

test('widths of columns follow the ratio of the units', () => {
  const laidOut = layOut(`<x:worksheet><x:cols><x:col min="1" max="2" width="10"/></x:cols></x:worksheet>`)
  expect(laidOut).toContain('<x:col min="1" max="2" width="10.1622"/>')
  expect(laidOut).toMatch(/<x:pageMargins left="0.7" right="0.7" [^<>]*\/><\/x:worksheet>$/)
})

test.each(['<sheetProtection sheet="1"/>', '<sheetProtection password="CC1A" sheet="1"></sheetProtection>'])(
  'a protected sheet becomes one that LibreOffice lets us change: %s',
  (protection) => {
    const format = layOut('<worksheet><sheetData/></worksheet>').match(/<sheetFormatPr[^>]*>/)?.[0]
    expect(layOut(`<worksheet><sheetData/>${protection}${margins}</worksheet>`)).toBe(
      `<worksheet>${format}<sheetData/>${margins}</worksheet>`,
    )
  },
)

test('a sheet that is not well formed stays as it is', () => {
  expect(layOut('<worksheet><row ht="30"></worksheet>')).toBe('<worksheet><row ht="30"></worksheet>')
})

test('a sheet without default sizes gets those of Excel', () => {
  const bare =
    '<worksheet><cols><col min="1" max="1" width="10"/></cols><sheetData><row r="1"/></sheetData></worksheet>'
  const laidOut = layOut(bare)
  expect(laidOut).toContain(
    '<worksheet><sheetFormatPr defaultRowHeight="14.52" customHeight="1" defaultColWidth="9.2911"/><cols>',
  )
  expect(laidOut).toContain('<row r="1" ht="14.5" customHeight="1"/>')
  expect(layOut(bare, 'Arial', 10)).toMatch(/<worksheet><sheetFormatPr defaultColWidth="[\d.]+"\/><cols>/)
})

test('the name of the file is left out of headings', () => {
  const heading =
    '<headerFooter><oddHeader>&amp;L&amp;Z&amp;F &amp;A&amp;R&amp;&amp;F</oddHeader></headerFooter>'
  const found = layOut(sheet('').replace('</worksheet>', `${heading}</worksheet>`))
  expect(found).toContain('<oddHeader>&amp;L &amp;A&amp;R&amp;&amp;F</oddHeader>')
})
