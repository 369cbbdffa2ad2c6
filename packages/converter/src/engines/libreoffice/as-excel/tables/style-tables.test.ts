import { expect, test } from 'vitest'
import { styleTables } from './style-tables.ts'

const lists =
  '<fonts><font><sz val="11"/><color theme="1"/></font><font><b/><color rgb="FFFF0000"/></font></fonts>' +
  '<fills><fill><patternFill/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders><border/></borders><cellXfs><xf fontId="0" fillId="0" borderId="0"/><xf fontId="1" fillId="1" borderId="0"/></cellXfs>'

/** Cells of the sheet by name, with what their format has. */
function style(rows: string, table: string, more = ''): Map<string, string> {
  const parts = new Map([
    ['xl/styles.xml', `<styleSheet>${lists}${more}</styleSheet>`],
    ['xl/worksheets/sheet1.xml', `<worksheet><sheetData>${rows}</sheetData></worksheet>`],
    ['xl/worksheets/_rels/sheet1.xml.rels', '<Relationship Id="r1" Target="../tables/table1.xml"/>'],
    ['xl/tables/table1.xml', table],
  ])
  const changed = styleTables(parts)
  const styles = changed.get('xl/styles.xml') ?? ''
  const listOf = (name: string, element: string) =>
    (new RegExp(`<${name}>(.*)</${name}>`).exec(styles)?.[1] ?? '').split(`</${element}>`)
  const fills = listOf('fills', 'fill')
  const fonts = listOf('fonts', 'font')
  const borders = styles.split('<borders><border/>')[1]?.split('</borders>')[0]?.split('</border>') ?? []
  const formats = Array.from(styles.matchAll(/<xf ([^<>]*?)\/?>/g), ([, attributes = '']) =>
    Object.fromEntries(
      Array.from(attributes.matchAll(/(\w+)="(\d+)"/g), ([, key, value]) => [key, Number(value)]),
    ),
  )
  const cells = (changed.get('xl/worksheets/sheet1.xml') ?? '').matchAll(/<c r="(\w+)"(?: s="(\d+)")?/g)
  return new Map(
    Array.from(cells, ([, name = '', index = '0']) => {
      const { fontId = 0, fillId = 0, borderId = 0 } = formats[Number(index)] ?? {}
      const fill = /<fgColor ([^<>]*)\//.exec(fills[fillId] ?? '')?.[1] ?? ''
      const colour = /<color ([^<>]*)\//.exec(fonts[fontId] ?? '')?.[1] ?? ''
      const edges = Array.from(
        (borders[borderId - 1] ?? '').matchAll(/<(\w+) style="(\w+)"/g),
        ([, side, kind]) => `${side} ${kind}`,
      )
      return [name, [`fill ${fill}`, `font ${colour}`, ...edges].join(', ').replaceAll('"', '')]
    }),
  )
}

const table = (ref: string, attributes: string, info: string) =>
  `<table ref="${ref}" ${attributes}><tableStyleInfo ${info}/></table>`
const row = (number: number, cells: string, attributes = '') =>
  `<row r="${number}" ${attributes}>${cells}</row>`

test('header, stripes and total row of a built-in style', () => {
  const rows = [1, 2, 3, 4].map((number) => row(number, `<c r="A${number}"/>`)).join('')
  const cells = style(
    rows,
    table('A1:A4', 'totalsRowCount="1"', 'name="TableStyleMedium9" showRowStripes="1"'),
  )
  expect([...cells]).toEqual([
    ['A1', 'fill theme=4, font theme=0, left thin, right thin, top thin, bottom thick'],
    ['A2', 'fill theme=4 tint=0.6, font theme=1, left thin, right thin, top thin, bottom thin'],
    ['A3', 'fill theme=4 tint=0.8, font theme=1, left thin, right thin, top thin, bottom thin'],
    ['A4', 'fill theme=4, font theme=0, left thin, right thin, top thick, bottom thin'],
  ])
})

test('stripes alternate over visible rows; cells that the sheet lacks are added', () => {
  const rows = row(1, '<c r="A1"/>', 'hidden="1"') + row(2, '<c r="B2"/><c r="D2"/>')
  const cells = style(
    rows,
    table('A1:C2', 'headerRowCount="0"', 'name="TableStyleLight8" showRowStripes="1"'),
  )
  expect([...cells.keys()]).toEqual(['A1', 'B1', 'C1', 'A2', 'B2', 'C2', 'D2'])
  expect(cells.get('B2')).toBe('fill , font theme=1, top thin, bottom thin')
  expect(cells.get('D2')).toBe('fill , font theme=1')
})

test('a bounded number of cells is added to rows that a table says are very wide', () => {
  const rows = Array.from({ length: 40 }, (_, index) => row(index + 1, '<c r="A1"/>')).join('')
  const cells = style(rows, table('A1:XFD1048576', '', 'name="TableStyleMedium2"'))
  expect(cells.size).toBeGreaterThan(99_999)
  expect(cells.size).toBeLessThan(100_100)
})

test('the format of a cell takes precedence over the style', () => {
  const cells = style(row(1, '<c r="A1" s="1"/>'), table('A1:A2', '', 'name="TableStyleDark1"'))
  expect(cells.get('A1')).toBe('fill , font rgb=FFFF0000, bottom medium')
})

test('a style of the workbook', () => {
  const custom =
    '<dxfs><dxf><font><color rgb="FF00FF00"/></font><fill><patternFill><bgColor rgb="FF112233"/></patternFill></fill></dxf></dxfs>' +
    '<tableStyles><tableStyle name="Own"><tableStyleElement type="secondRowStripe" size="2" dxfId="0"/></tableStyle></tableStyles>'
  const rows = [1, 2, 3, 4].map((number) => row(number, `<c r="A${number}"/>`)).join('')
  const cells = style(rows, table('A1:A4', 'headerRowCount="0"', 'name="Own" showRowStripes="1"'), custom)
  const striped = 'fill rgb=FF112233, font rgb=FF00FF00'
  expect([...cells.values()]).toEqual(['fill , font theme=1', striped, striped, 'fill , font theme=1'])
})

test.each(['name="None"', 'name="TableStyleMedium29"', ''])('no style, no change: %s', (info) => {
  expect(style(row(1, '<c r="A1"/>'), table('A1:A2', '', info)).size).toBe(0)
})
