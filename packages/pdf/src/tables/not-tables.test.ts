import { describe, expect, it } from 'vitest'
import type { TextRun } from '../lines/line.ts'
import { pageOf, textRunOf } from '../lines/test-text-runs.ts'
import type { Rule } from '../read/page.ts'
import { find, findTables, h, row, v } from './test-tables.ts'

describe('what only looks like a table', () => {
  const find = (textRuns: ReturnType<typeof textRunOf>[], rules: Rule[] = []) =>
    findTables({ page: pageOf([]), textRuns, turned: [], rules }).tables

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
      textRunOf(text, 50, 100 + 12 * i),
      textRunOf('Words', 200, 100 + 12 * i),
      textRunOf(right[i] as string, 300, 100 + 12 * i),
    ])
    expect(find(lines)).toEqual([])
  })

  it('program text has gaps that someone typed', () => {
    const rows = ['12', '31', '47', '50'].flatMap((amount, i) => [
      textRunOf('kiln', 50, 100 + 12 * i),
      textRunOf(amount, 150, 100 + 12 * i),
      textRunOf(`1${amount}`, 250, 100 + 12 * i),
    ])
    const fixed = rows.map((p) => ({ ...p, font: { ...p.font, mono: true } }))
    const text = textRunOf('Running text of the page above what a program wrote', 50, 60)
    expect([find([text, ...rows]).length, find([text, ...fixed]).length, find(fixed).length]).toEqual([
      1, 0, 1,
    ])
  })
})

describe('a chart', () => {
  const bars = (scale: readonly TextRun[]) => {
    const tops = [120, 140, 150]
    const textRuns = [...scale, ...tops.flatMap((y, i) => row(y - 2, { [105 + 60 * i]: `${20 * i + 7}` }))]
    const lines = [100, 120, 140, 160, 180].map((y) => h(y, 80, 280))
    const edges = tops.flatMap((y, i) => [v(100 + 60 * i, y, 180), v(130 + 60 * i, y, 180)])
    return find(textRuns, [...lines, ...edges]).tables
  }

  it('is not a table: beside grid lines and bars with few labels are numbers that fall by equal steps', () => {
    const scale = (numbers: readonly number[]) =>
      numbers.flatMap((n, i) => [textRunOf(`${n}`, 72 - 5 * `${n}`.length, 103 + 20 * i)])
    expect(bars(scale([100, 75, 50, 25, 0]))).toHaveLength(0)
    expect(bars(scale([100, 75, 53, 25, 0]))).toHaveLength(1)
  })

  it('is not a table if its scale is below the bars', () => {
    const scale = [0, 20, 40, 60].map((n, i) => textRunOf(`${n}`, 80 + 50 * i - 2.5 * `${n}`.length, 192))
    expect(bars(scale)).toHaveLength(0)
  })
})

describe('columns of text', () => {
  const prose = (x: number, from: number, lines: number): ReturnType<typeof textRunOf>[] =>
    Array.from({ length: lines }, (_, i) =>
      textRunOf('these are words that fill the column', x, from + 12 * i),
    )

  it('do not become a table, and a table in one of them does not swallow the other', () => {
    const rows = ['one', 'two', 'three', 'four', 'five'].flatMap((name, i) => [
      textRunOf(name, 320, 160 + 12 * i),
      textRunOf(`${i}1`, 400, 160 + 12 * i),
      textRunOf(`${i}2`, 460, 160 + 12 * i),
    ])
    const textRuns = [...prose(50, 100, 20), ...prose(320, 100, 4), ...rows, ...prose(320, 240, 8)]
    const { tables, textRuns: rest } = findTables({ page: pageOf([]), textRuns, turned: [], rules: [] })
    expect(tables).toHaveLength(1)
    expect(tables[0]?.box.x0).toBeGreaterThan(300)
    expect(rest).toHaveLength(32)
  })
})

describe('a table of contents', () => {
  const entries = (pages: readonly number[]) =>
    pages.flatMap((page, i) => row(100 + 14 * i, { 50: `Title number ${'abcdef'[i]}`, 300: `${page}` }))

  it('is not a table: its page numbers never fall', () => {
    expect(find(entries([1, 2, 4, 4, 9]), []).tables).toEqual([])
    expect(find(entries([1, 9, 4, 4, 2]), []).tables).toHaveLength(1)
  })

  it('ends before a numbered heading', () => {
    const dotted = [1, 2, 4, 7].flatMap((page, i) =>
      row(100 + 14 * i, { 50: `${i + 1} Title . . . . . . . .`, 300: `${page}` }),
    )
    const parts = [
      ...row(156, { 50: '5', 64: 'Used libraries', 300: '8' }),
      ...row(170, { 50: '6', 64: 'Licence terms', 300: '9' }),
      ...row(184, { 50: '7', 64: 'Known issues', 300: '9' }),
    ]
    const { tables } = find([...dotted, ...parts, ...row(208, { 50: '1', 64: 'Introduction' })], [])
    expect(tables).toEqual([])
  })
})
