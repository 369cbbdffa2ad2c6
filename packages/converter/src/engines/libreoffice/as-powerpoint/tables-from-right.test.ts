import { expect, test } from 'vitest'
import { turnTables } from './tables-from-right.ts'

const cell = (text: string, attributes = '') => `<a:tc${attributes}><a:txBody>${text}</a:txBody></a:tc>`
const row = (...cells: readonly string[]) => `<a:tr h="1">${cells.join('')}<a:extLst/></a:tr>`
const table = (attributes: string, widths: readonly number[], ...rows: readonly string[]) =>
  `<a:tbl><a:tblPr${attributes}><a:x/></a:tblPr><a:tblGrid>${widths.map((w) => `<a:gridCol w="${w}"/>`).join('')}</a:tblGrid>${rows.join('')}</a:tbl>`

/** Undefined where nothing changes. */
function turned(slide: string): string | undefined {
  const [before, start, end] = [`<p:sld>${slide}</p:sld>`, '<p:sld>', '</p:sld>']
  const after = turnTables(before)
  return after === before ? undefined : after.slice(start.length, -end.length)
}

test('columns, cells and the sides of a style are turned round', () => {
  const before = table(' firstCol="1" rtl="1" bandRow="1"', [1, 2, 3], row(cell('a'), cell('b'), cell('c')))
  const after = table(' bandRow="1" lastCol="1"', [3, 2, 1], row(cell('c'), cell('b'), cell('a')))
  const other = table(' firstCol="1"', [1, 2], row(cell('a'), cell('b')))
  expect(turned(other + before + other)).toBe(other + after + other)
  const withId = '<a:gridCol w="1"><a:extLst/></a:gridCol>'
  const long = before.replace('<a:gridCol w="1"/>', withId)
  expect(turned(long)).toBe(after.replace('<a:gridCol w="1"/>', withId))
})

test('what a table says of itself is taken as it stands', () => {
  const odd = (rest: string) => table(` a="$'$$"${rest}`, [1], row(cell('a')))
  expect(turned(odd(' rtl="1"'))).toBe(odd(''))
})

test('joined cells stay in their order', () => {
  const wide = cell('b', ' gridSpan="2"')
  const hidden = cell('', ' hMerge="1"')
  const before = table(' rtl="true"', [1, 2, 3], row(cell('a'), wide, hidden))
  expect(turned(before)).toBe(table('', [3, 2, 1], row(wide, hidden, cell('a'))))
})

test('a table from the left stays', () => {
  expect(turned(table(' rtl="0"', [1, 2], row(cell('a'), cell('b'))))).toBeUndefined()
  expect(turned(table('', [1, 2], row(cell('a'), cell('b'))))).toBeUndefined()
})

test.each(['<a:tbl><a:tblPr rtl="1">', '<a:tbl><a:tblPr rtl="1"><a:gridCol>', '<a:tr><a:tc>'])(
  'tables that never end are looked through once: %s',
  (start) => {
    const ended = `<a:tbl><a:tblPr rtl="1">${start.repeat(50_000)}</a:tbl>`
    expect(turned(start.repeat(50_000))).toBeUndefined()
    expect(turned(ended)?.length ?? ended.length).toBeLessThanOrEqual(ended.length)
  },
)
