import { expect, test } from 'vitest'
import { drawSparklines } from './sparklines.ts'

const group = (attributes: string, sparklines: [string, string][], colours = '') =>
  `<x14:sparklineGroup ${attributes}><x14:colorSeries rgb="FF376092"/>${colours}<x14:sparklines>` +
  sparklines
    .map(([from, at]) => `<x14:sparkline><xm:f>${from}</xm:f><xm:sqref>${at}</xm:sqref></x14:sparkline>`)
    .join('') +
  '</x14:sparklines></x14:sparklineGroup>'
const cells = (...values: (number | '')[]) =>
  values.map((value, index) =>
    value === '' ? '' : `<c r="${String.fromCharCode(65 + index)}1"><v>${value}</v></c>`,
  )
const sheet = (row: readonly string[], groups = '', more = '') =>
  `<worksheet><sheetData><row r="1">${row.join('')}</row></sheetData>${more}<extLst><ext>` +
  `<x14:sparklineGroups>${groups}</x14:sparklineGroups></ext></extLst></worksheet>`
const book = (first: string, second = sheet([])): Map<string, string> =>
  new Map([
    ['xl/workbook.xml', '<workbook><sheets><sheet name="It\'s" r:id="r2"/></sheets></workbook>'],
    [
      'xl/_rels/workbook.xml.rels',
      '<Relationships><Relationship Id="r2" Target="worksheets/sheet2.xml"/></Relationships>',
    ],
    ['xl/worksheets/sheet1.xml', first],
    ['xl/worksheets/sheet2.xml', second],
  ])
const drawing = 'xl/drawings/sparklines-sheet1.xml'
const drawn = (parts: Map<string, string>) => drawSparklines(parts).get(drawing) ?? ''
const heightsIn = (xml: string) =>
  Array.from(xml.matchAll(/ y="(\d+)"\/><\/a:(?:move|ln)To>/g), ([, y]) => Number(y))

test('a line becomes a shape in its cell, in a new drawing of the sheet', () => {
  const changed = drawSparklines(book(sheet(cells(1, 3, 2), group('lineWeight="1.5"', [['A1:C1', 'E2']]))))
  const shape = changed.get(drawing) ?? ''
  expect(heightsIn(shape)).toEqual([8800, 1200, 5000])
  expect(shape).toContain('<a:ln w="19050" cap="rnd"><a:solidFill><a:srgbClr val="376092"/>')
  expect(shape).toMatch(/<xdr:from><xdr:col>4<.*?<xdr:row>1<.*?<xdr:to><xdr:col>5<.*?<xdr:row>2</)
  expect(changed.get('xl/worksheets/sheet1.xml')).toMatch(
    /<x14:sparklineGroups><\/x14:sparklineGroups>.*<drawing [^<>]*s:id="sparklines"\/><\/worksheet>$/,
  )
  expect(changed.get('xl/worksheets/_rels/sheet1.xml.rels')).toContain(`Target="/${drawing}"`)
})

test('a sheet with a drawing keeps it', () => {
  const parts = book(sheet(cells(1, 2), group('', [['A1:B1', 'E2']])))
  parts.set(
    'xl/worksheets/_rels/sheet1.xml.rels',
    '<Relationships><Relationship Id="r" Target="../drawings/drawing1.xml"/></Relationships>',
  )
  parts.set('xl/drawings/drawing1.xml', '<wsDr><a/></wsDr>')
  const changed = drawSparklines(parts)
  expect(changed.get('xl/drawings/drawing1.xml')).toMatch(
    /^<wsDr><a\/><xdr:twoCellAnchor.*<\/xdr:twoCellAnchor><\/wsDr>$/,
  )
  expect([...changed.keys()]).toEqual(['xl/worksheets/sheet1.xml', 'xl/drawings/drawing1.xml'])
})

test('values of another sheet, in a merged cell', () => {
  const merged = '<mergeCells><mergeCell ref="E2:F4"/></mergeCells>'
  const first = sheet([], group('', [["'It''s'!$A$1:$C$1", 'E2']]), merged)
  const shape = drawn(book(first, sheet(cells(5, 5, 5))))
  expect(heightsIn(shape)).toEqual([5000, 5000, 5000])
  expect(shape).toMatch(/<xdr:to><xdr:col>6<.*?<xdr:row>4</)
})

test.each([
  ['gap', [8800, 1200], 2],
  ['span', [8800, 1200], 1],
  ['zero', [5000, 8800, 1200], 1],
])('an empty cell: %s', (way, heights, starts) => {
  const shape = drawn(
    book(
      sheet(cells(way === 'zero' ? 1 : 0, '', 2), group(`displayEmptyCellsAs="${way}"`, [['A1:C1', 'E2']])),
    ),
  )
  expect(heightsIn(shape)).toEqual(heights)
  expect(shape.match(/<a:moveTo>/g)).toHaveLength(starts)
})

test('an axis of the group, the horizontal axis and marked points', () => {
  const attributes = 'minAxisType="group" maxAxisType="custom" manualMax="4" displayXAxis="1" high="1"'
  const high = '<x14:colorHigh theme="4" tint="-0.25"/>'
  const parts = book(
    sheet(
      cells(-4, 0, 2),
      group(
        attributes,
        [
          ['A1:B1', 'E1'],
          ['B1:C1', 'E2'],
        ],
        high,
      ),
    ),
  )
  const shapes = drawn(parts).split('<xdr:twoCellAnchor').slice(1)
  expect(shapes.map(heightsIn)).toEqual([
    [8800, 5000],
    [5000, 5000],
    [5000, 5000],
    [5000, 3100],
    [5000, 5000],
    [3100, 3100],
  ])
  expect(shapes[2]).toContain('<a:schemeClr val="accent1"><a:lumMod val="75000"/></a:schemeClr>')
})

test.each([
  ['columns', 'type="column"', 'A1:C1'],
  ['gains and losses', 'type="stacked"', 'A1:C1'],
  ['too many points', '', 'A1:A30000'],
])('%s are left to LibreOffice', (_, attributes, range) => {
  const [name, content] = [
    'xl/worksheets/sheet1.xml',
    sheet(cells(1, 2, 3), group(attributes, [[range, 'E1']])),
  ]
  expect(drawSparklines(new Map([[name, content]])).size).toBe(0)
})

test('thousands of groups in a long sheet take little time', () => {
  const rows = '<row r="1"><c r="A1"><v>1</v></c></row>'.repeat(50_000)
  const groups = Array.from({ length: 4000 }, () => group('', [['A1:B1', 'E2']])).join('')
  const before = process.cpuUsage()
  const changed = drawSparklines(
    book(sheet(cells(1, 2), groups).replace('</sheetData>', `${rows}</sheetData>`)),
  )
  const { user, system } = process.cpuUsage(before)
  expect(changed.get('xl/worksheets/sheet1.xml')).toContain('<x14:sparklineGroups></x14:sparklineGroups>')
  expect((user + system) / 1e6).toBeLessThan(5)
})
