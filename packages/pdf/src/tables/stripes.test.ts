import { expect, test } from 'vitest'
import type { TextRun } from '../lines/line.ts'
import { pageOf } from '../lines/test-text-runs.ts'
import type { Fill, Rule } from '../read/page.ts'
import { findTables, grid, h, row, v } from './test-tables.ts'

const xs = [50, 150, 250, 350]

/** A shaded row of three cells: areas and their edges. */
function shaded(y0: number, y1: number): { fills: Fill[]; rules: Rule[] } {
  const weak = (rule: Rule): Rule => ({ ...rule, weak: true, color: 'eeeeff' })
  const fills = xs.slice(1).map((x1, i) => ({ box: { x0: xs[i] ?? 0, y0, x1, y1 }, color: 'eeeeff' }))
  return { fills, rules: [h(y0, 50, 350), h(y1, 50, 350), ...xs.map((x) => v(x, y0, y1))].map(weak) }
}

const rows = (tops: readonly number[]): TextRun[] =>
  tops.flatMap((y, i) => row(y + 13, { 54: `key ${i}`, 154: `${i} of them`, 254: `what ${i} means` }))

const findIn = (stripes: readonly [number, number][], textRuns: TextRun[]) => {
  const areas = stripes.map(([y0, y1]) => shaded(y0, y1))
  const page = { ...pageOf([]), fills: areas.flatMap((a) => a.fills) }
  return findTables({ page, textRuns, turned: [], rules: areas.flatMap((a) => a.rules) }).tables
}

test('rows between shaded rows, and those beside the first and the last, are in the table', () => {
  const tables = findIn(
    [
      [120, 140],
      [160, 180],
    ],
    rows([100, 120, 140, 160, 180]),
  )
  expect(tables.map(grid)).toEqual([
    [0, 1, 2, 3, 4].map((i) => [`key ${i}`, `${i} of them`, `what ${i} means`]),
  ])
})

test('white between shaded rows separates no table', () => {
  const tables = findIn(
    [
      [100, 120],
      [126, 146],
    ],
    rows([100, 126]),
  )
  expect(tables.map(grid)).toEqual([[0, 1].map((i) => [`key ${i}`, `${i} of them`, `what ${i} means`])])
})

test('text that crosses the columns ends a table', () => {
  const text = row(165, { 54: 'A sentence between two tables, across all of their columns.' })
  const tables = findIn(
    [
      [100, 120],
      [126, 146],
      [186, 206],
      [212, 232],
    ],
    [...rows([100, 126]), ...text, ...rows([186, 212])],
  )
  expect(tables.map(({ ys }) => ys.length)).toEqual([3, 3])
})

test('a shaded row is the header of the rows below it, however long they are', () => {
  const body = [140, 160, 180].flatMap((y) => row(y, { 54: 'a long description', 160: '12.00', 260: '7.50' }))
  const tables = findIn([[100, 120]], [...row(113, { 54: 'Item', 160: 'Price', 260: 'Tax' }), ...body])
  expect(tables.map((t) => grid(t).length)).toEqual([4])
})

test('rows inside a border, below a shaded header, have its columns', () => {
  const { fills, rules } = shaded(100, 120)
  const border = [h(100, 50, 350), h(190, 50, 350), v(50, 100, 190), v(350, 100, 190)]
  const textRuns = rows([100, 120, 142, 164])
  const page = { ...pageOf([]), fills }
  expect(findTables({ page, textRuns, turned: [], rules: [...rules, ...border] }).tables.map(grid)).toEqual([
    [0, 1, 2, 3].map((i) => [`key ${i}`, `${i} of them`, `what ${i} means`]),
  ])
})
