import { expect, test } from 'vitest'
import { scaleDrawings } from './drawings.ts'

const drawing = (content: string) =>
  '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing">' +
  `${content}</xdr:wsDr>`
const mark = (name: string, column: number, row: number) =>
  `<xdr:${name}><xdr:col>1</xdr:col><xdr:colOff>${column}</xdr:colOff><xdr:row>2</xdr:row><xdr:rowOff>${row}</xdr:rowOff></xdr:${name}>`
const relations =
  '<Relationships><Relationship Id="r1" Type="drawing" Target="../drawings/drawing1.xml"/></Relationships>'

const scale = (content: string, font: string, size: number, format = '') =>
  scaleDrawings(
    new Map([
      ['xl/worksheets/sheet1.xml', `<worksheet>${format}<sheetData/><drawing r:id="r1"/></worksheet>`],
      ['xl/worksheets/_rels/sheet1.xml.rels', relations],
      ['xl/drawings/drawing1.xml', drawing(content)],
    ]),
    { name: font, size },
  ).get('xl/drawings/drawing1.xml')

// A digit of Calibri 11 is 7 pixels wide on the screen, which are 5.25 points, and 5.64 points in print; rows of 15
// points are printed as 14.52.
test('drawings have the size of the cells below them', () => {
  expect(scale(mark('from', 52500, 150000), 'Calibri', 11)).toBe(drawing(mark('from', 56400, 145200)))
  const sized = (name: string, place: string, cx: number, cy: number) =>
    `<xdr:${name}>${place}<xdr:ext cx="${cx}" cy="${cy}"/><xdr:pic><a:ext cx="7" cy="7"/></xdr:pic></xdr:${name}>`
  expect(scale(sized('oneCellAnchor', mark('from', 0, 0), 525, 1500), 'Calibri', 11)).toBe(
    drawing(sized('oneCellAnchor', mark('from', 0, 0), 564, 1452)),
  )
  const at = (x: number, y: number) => `<xdr:pos x="${x}" y="${y}"/>`
  expect(scale(sized('absoluteAnchor', at(525, 1500), 1050, 3000), 'Calibri', 11)).toContain(
    `${at(564, 1452)}<xdr:ext cx="1128" cy="2904"/>`,
  )
})

test('a display at 125 % has other pixels', () => {
  const format = '<sheetFormatPr defaultRowHeight="14.4"/>'
  // 9 pixels of 0.6 points.
  expect(scale(mark('from', 54000, 144000), 'Calibri', 11, format)).toBe(drawing(mark('from', 56400, 145200)))
})

test('sizes stay with a font whose sizes are not known', () => {
  const content = mark('from', 52500, 150000)
  expect(scale(content, 'Unknown', 11)).toBe(drawing(content))
})

test('drawings that are hidden or not printed are removed, unless they describe a control', () => {
  const anchored = (client: string, hidden = '') =>
    `<xdr:twoCellAnchor>${mark('from', 0, 0)}<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="2"${hidden}/></xdr:nvSpPr></xdr:sp>` +
    `<xdr:clientData${client}/></xdr:twoCellAnchor>`
  const control = `<mc:AlternateContent><mc:Choice>${anchored('', ' hidden="1"')}</mc:Choice></mc:AlternateContent>`
  const printed = anchored('') + anchored(' fPrintsWithSheet="1"') + control
  const others = anchored(' fPrintsWithSheet="0"') + anchored('', ' hidden="1"')
  expect(scale(others + printed, 'Calibri', 11)).toBe(drawing(printed))
})
