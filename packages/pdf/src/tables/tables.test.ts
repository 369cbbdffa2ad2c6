import { describe, expect, it } from 'vitest'
import { pageOf, pieceOf } from '../lines/test-pieces.ts'
import type { Rule } from '../read/page.ts'
import { findTables } from './tables.ts'
import { h, v } from './test-tables.ts'

describe('ruled tables', () => {
  const outline = [h(100, 50, 250), h(120, 50, 250), h(140, 50, 250), v(50, 100, 140), v(250, 100, 140)]

  it('finds cells between rules, and puts text into them', () => {
    const pieces = [
      pieceOf('a', 60, 115),
      pieceOf('b', 160, 115),
      pieceOf('c', 60, 135),
      pieceOf('d', 160, 135),
    ]
    const { tables, pieces: rest } = findTables({
      page: pageOf([]),
      pieces,
      turned: [],
      rules: [...outline, v(150, 100, 140)],
    })
    expect(rest).toEqual([])
    expect(tables).toHaveLength(1)
    expect(tables[0]?.cells.map((c) => [c.row, c.column, c.pieces.map((p) => p.text).join()])).toEqual([
      [0, 0, 'a'],
      [0, 1, 'b'],
      [1, 0, 'c'],
      [1, 1, 'd'],
    ])
  })

  it('merges cells where a rule is missing', () => {
    const pieces = [pieceOf('title', 60, 115), pieceOf('c', 60, 135), pieceOf('d', 160, 135)]
    const { tables } = findTables({
      page: pageOf([]),
      pieces,
      turned: [],
      rules: [...outline, v(150, 120, 140)],
    })
    expect(tables[0]?.cells[0]).toMatchObject({ row: 0, column: 0, columnSpan: 2 })
  })

  it('cuts a line that runs across a rule', () => {
    const pieces = [pieceOf('left right', 125, 115), pieceOf('c', 60, 135), pieceOf('d', 160, 135)]
    const { tables } = findTables({
      page: pageOf([]),
      pieces,
      turned: [],
      rules: [...outline, v(147, 100, 140)],
    })
    expect(tables[0]?.cells.slice(0, 2).map((c) => c.pieces.map((p) => p.text).join())).toEqual([
      'left',
      'right',
    ])
  })
})

/** Neighbours less than an em apart are one piece, as the stage before makes them. */
function joined(pieces: ReturnType<typeof pieceOf>[]): ReturnType<typeof pieceOf>[] {
  const out: ReturnType<typeof pieceOf>[] = []
  for (const piece of pieces) {
    const last = out.at(-1)
    if (last && last.baseline === piece.baseline && piece.box.x0 - last.box.x1 < 10) {
      const text = `${last.text} ${piece.text}`
      out[out.length - 1] = {
        ...last,
        text,
        words: [...last.words, ...piece.words],
        spans: last.spans.map((s) => ({ ...s, text })),
        box: { ...last.box, x1: piece.box.x1 },
      }
    } else out.push(piece)
  }
  return out
}

describe('unruled tables', () => {
  it('finds columns of figures', () => {
    const pieces = ['Apples 12 30', 'Pears 7 25', 'Plums 31 90', 'Cherries 8 11'].flatMap((row, i) => {
      const [name = '', a = '', b = ''] = row.split(' ')
      const y = 100 + 14 * i
      return [pieceOf(name, 50, y), pieceOf(a, 200, y), pieceOf(b, 300, y)]
    })
    const { tables } = findTables({ page: pageOf([]), pieces, turned: [], rules: [] })
    expect(tables).toHaveLength(1)
    expect(tables[0]).toMatchObject({ ruled: false })
    expect(tables[0]?.xs).toHaveLength(4)
    expect(tables[0]?.ys).toHaveLength(5)
  })

  it('finds two columns of figures, though the first could be labels', () => {
    const pieces = [0.25, 0.5, 0.75, 1.25].flatMap((n, i) => [
      pieceOf(`${n}`, 60, 100 + 12 * i),
      pieceOf(`${n + 11}`, 130, 100 + 12 * i),
    ])
    expect(findTables({ page: pageOf([]), pieces, turned: [], rules: [] }).tables).toHaveLength(1)
  })

  it('cuts columns at narrow gaps where many lines keep them, not where a few do', () => {
    const widths = (count: number): number | undefined => {
      const pieces = Array.from({ length: count }, (_, i) => [
        pieceOf('name', 60, 100 + 12 * i),
        pieceOf('1234', 120, 100 + 12 * i),
        pieceOf('5678', 146, 100 + 12 * i),
        pieceOf('12', 220, 100 + 12 * i),
      ]).flat()
      return findTables({ page: pageOf([]), pieces: joined(pieces), turned: [], rules: [] }).tables[0]?.xs
        .length
    }
    expect([widths(8), widths(3)]).toEqual([5, 4])
  })

  it('leaves running text in two columns alone', () => {
    const line = 'words of running text that fill the whole column'
    const pieces = Array.from({ length: 12 }, (_, i) => [
      pieceOf(line, 20, 100 + 12 * i),
      pieceOf(line, 300, 100 + 12 * i),
    ]).flat()
    expect(findTables({ page: pageOf([]), pieces, turned: [], rules: [] }).tables).toEqual([])
  })

  it('takes labels with text behind them for a list, not a table', () => {
    const pieces = ['1.', '2.', '3.', '4.', '5.'].flatMap((label, i) => [
      pieceOf(label, 50, 100 + 14 * i),
      pieceOf('some item', 90, 100 + 14 * i),
    ])
    expect(findTables({ page: pageOf([]), pieces, turned: [], rules: [] }).tables).toEqual([])
  })
})

describe('what only looks like a table', () => {
  const find = (pieces: ReturnType<typeof pieceOf>[], rules: Rule[] = []) =>
    findTables({ page: pageOf([]), pieces, turned: [], rules }).tables

  it('columns of running text stay text', () => {
    const left = [
      'between nine and',
      'five, on any day',
      'The place holds',
      'this proposal and',
      'other papers too',
    ]
    const right = [
      'Branch of the east',
      'which is not said',
      'to be so, will be',
      'placed in a file',
      'that all may read',
    ]
    const lines = left.flatMap((text, i) => [
      pieceOf(text, 50, 100 + 12 * i),
      pieceOf('Words', 200, 100 + 12 * i),
      pieceOf(right[i] as string, 300, 100 + 12 * i),
    ])
    expect(find(lines)).toEqual([])
  })

  it('program text has gaps that someone typed', () => {
    const rows = ['12', '31', '47', '50'].flatMap((amount, i) => [
      pieceOf('kiln', 50, 100 + 12 * i),
      pieceOf(amount, 150, 100 + 12 * i),
      pieceOf(`1${amount}`, 250, 100 + 12 * i),
    ])
    const fixed = rows.map((p) => ({ ...p, font: { ...p.font, mono: true } }))
    const text = pieceOf('Running text of the page above what a program wrote', 50, 60)
    expect([find([text, ...rows]).length, find([text, ...fixed]).length, find(fixed).length]).toEqual([
      1, 0, 1,
    ])
  })

  it('dots that lead from cell to cell make rows of lines between two rules', () => {
    const rules = [h(90, 50, 350), h(150, 50, 350), ...[50, 150, 250, 350].map((x) => v(x, 90, 150))]
    const lines = [0, 1, 2].flatMap((i) => [
      pieceOf('Item ............', 52, 102 + 14 * i),
      pieceOf('Cost ............', 152, 102 + 14 * i),
      pieceOf('$85', 252, 102 + 14 * i),
    ])
    const table = find([...lines, pieceOf('of iron.', 52, 144)], rules)[0]
    expect(table?.ys).toHaveLength(4)
  })
})

describe('columns of text', () => {
  const prose = (x: number, from: number, lines: number): ReturnType<typeof pieceOf>[] =>
    Array.from({ length: lines }, (_, i) => pieceOf('these are words that fill the column', x, from + 12 * i))

  it('do not become a table, and a table in one of them does not swallow the other', () => {
    const rows = ['one', 'two', 'three', 'four', 'five'].flatMap((name, i) => [
      pieceOf(name, 320, 160 + 12 * i),
      pieceOf(`${i}1`, 400, 160 + 12 * i),
      pieceOf(`${i}2`, 460, 160 + 12 * i),
    ])
    const pieces = [...prose(50, 100, 20), ...prose(320, 100, 4), ...rows, ...prose(320, 240, 8)]
    const { tables, pieces: rest } = findTables({ page: pageOf([]), pieces, turned: [], rules: [] })
    expect(tables).toHaveLength(1)
    expect(tables[0]?.box.x0).toBeGreaterThan(300)
    expect(rest).toHaveLength(32)
  })
})
