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
  const text = row(153, { 54: 'A sentence between two tables, across all of their columns.' })
  const tables = findIn(
    [
      [120, 140],
      [160, 180],
    ],
    [...rows([120]), ...text, ...rows([160])],
  )
  expect(tables.map(({ ys }) => ys.length)).toEqual([2, 2])
})
