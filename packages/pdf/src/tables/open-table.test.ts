import { describe, expect, it } from 'vitest'
import type { Piece } from '../lines/line.ts'
import { pageOf, pieceOf } from '../lines/test-pieces.ts'
import type { Rule } from '../read/page.ts'
import type { FoundTable } from './table.ts'
import { findTables } from './tables.ts'

const h = (at: number, from = 50, to = 250): Rule => ({
  horizontal: true,
  at,
  from,
  to,
  thickness: 0.5,
  color: '000000',
  weak: false,
})

/** Texts of one row at places. */
const row = (y: number, texts: Record<number, string>): Piece[] =>
  Object.entries(texts).map(([x, text]) => pieceOf(text, Number(x), y))

const find = (pieces: Piece[], rules: Rule[]): ReturnType<typeof findTables> =>
  findTables({ page: pageOf([]), pieces, turned: [], rules })

/** Rows of texts; `>` a cell that spans columns, `v` one that spans rows. */
const grid = (table: FoundTable | undefined): string[][] => {
  const out: string[][] = []
  for (const c of table?.cells.toSorted((a, b) => a.row - b.row || a.column - b.column) ?? []) {
    const marks = '>'.repeat(c.columnSpan - 1) + 'v'.repeat(c.rowSpan - 1)
    out[c.row] = [...(out[c.row] ?? []), c.pieces.map((p) => p.text).join(' ') + marks]
  }
  return out
}

describe('tables ruled across only', () => {
  const body = [
    ...row(134, { 60: 'alpha', 130: '12', 200: '3.5' }),
    ...row(146, { 60: 'beta', 130: '7', 200: '10' }),
    ...row(158, { 60: 'gamma', 130: '135', 200: '100' }),
  ]

  it('take columns from the white between texts and rows from baselines', () => {
    const head = row(114, { 60: 'name', 130: 'count', 200: 'size' })
    const { tables, pieces } = find([...head, ...body], [h(102), h(120), h(164)])
    expect(tables).toHaveLength(1)
    expect(pieces).toEqual([])
    expect(grid(tables[0])).toEqual([
      ['name', 'count', 'size'],
      ['alpha', '12', '3.5'],
      ['beta', '7', '10'],
      ['gamma', '135', '100'],
    ])
  })

  it('give a heading the columns that the short rule under it runs along', () => {
    const head = [...row(100, { 165: 'both' }), ...row(114, { 60: 'name', 130: 'count', 200: 'size' })]
    const { tables } = find([...head, ...body], [h(88), h(103, 125, 250), h(120), h(164)])
    expect(grid(tables[0]).slice(0, 2)).toEqual([
      ['', 'both>'],
      ['name', 'count', 'size'],
    ])
  })

  it('let a name in the middle of its rows span them', () => {
    const head = row(114, { 60: 'group', 130: 'count', 200: 'size' })
    const groups = [
      ...row(134, { 130: '12', 200: '3.5' }),
      ...row(140, { 60: 'first' }),
      ...row(146, { 130: '7', 200: '10' }),
      ...row(166, { 130: '1', 200: '5' }),
      ...row(178, { 60: 'second', 130: '2', 200: '6' }),
      ...row(190, { 130: '3', 200: '7' }),
    ]
    const { tables } = find([...head, ...groups], [h(102), h(120), h(152), h(196)])
    expect(grid(tables[0])).toEqual([
      ['group', 'count', 'size'],
      ['firstv', '12', '3.5'],
      ['7', '10'],
      ['secondvv', '1', '5'],
      ['2', '6'],
      ['3', '7'],
    ])
  })

  it('are two where running text stands between them', () => {
    const head = row(114, { 60: 'name', 130: 'count', 200: 'size' })
    const words = 'These words fill the width of the table'
    const prose = [0, 1, 2].map((i) => pieceOf(words, 50, 190 + 12 * i))
    const again = [...row(244, { 60: 'one', 150: 'two' }), ...row(264, { 60: 'three', 150: 'four' })]
    const rules = [h(102), h(120), h(164), h(232), h(250), h(270)]
    const { tables, pieces } = find([...head, ...body, ...prose, ...again], rules)
    expect(tables.map((t) => grid(t).length)).toEqual([4, 2])
    expect(pieces.map((p) => p.text)).toEqual([words, words, words])
  })

  it('keep a cell of two lines in one row', () => {
    const pieces = [
      ...row(114, { 60: 'name', 160: 'meaning' }),
      ...row(134, { 60: 'alpha', 160: 'the first of all' }),
      ...row(146, { 160: 'letters' }),
      ...row(158, { 60: 'beta', 160: 'the second' }),
    ]
    const { tables } = find(pieces, [h(102), h(120), h(164)])
    expect(grid(tables[0])).toEqual([
      ['name', 'meaning'],
      ['alpha', 'the first of all letters'],
      ['beta', 'the second'],
    ])
  })

  it('are not made of running text between two lines', () => {
    const words = 'These words fill the width of the table'
    const prose = [0, 1, 2, 3].map((i) => pieceOf(words, 50, 120 + 12 * i))
    expect(find(prose, [h(102), h(164)]).tables).toEqual([])
  })
})
