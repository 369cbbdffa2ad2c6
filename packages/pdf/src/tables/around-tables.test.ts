import { describe, expect, it } from 'vitest'
import type { TextRun } from '../lines/line.ts'
import { pageOf, textRunOf } from '../lines/test-text-runs.ts'
import type { Fill, Rule } from '../read/page.ts'
import { find, findTables, grid, h, row, v } from './test-tables.ts'

describe('what is around tables', () => {
  const times = (y: number): TextRun[] =>
    [0, 1, 2, 3].flatMap((i) => row(y + 14 * i, { 60: `stop ${i}`, 160: `1${i}:30`, 220: `1${i}:45` }))

  it('a larger line between two tables is a heading', () => {
    const textRuns = [...times(100), textRunOf('Saturday', 60, 170, 16), ...times(190)]
    const found = find(textRuns, [])
    expect(found.tables.map((t) => t.ys.length - 1)).toEqual([4, 4])
    expect(found.textRuns.map((p) => p.text)).toEqual(['Saturday'])
  })

  it('a rule below a heading is none of the table above', () => {
    const part = (y: number): TextRun[] => [
      textRunOf('A heading', 60, y, 16),
      ...row(y + 20, { 60: '2019', 160: 'Berlin' }),
      ...row(y + 40, { 60: '2020', 160: 'Leipzig' }),
    ]
    const found = find([...part(100), ...part(180), ...part(260)], [h(104), h(184), h(264)])
    expect(found.textRuns.filter((p) => p.size === 16)).toHaveLength(3)
  })

  it('words of a total are not cut where columns above it end', () => {
    const items = Array.from({ length: 9 }, (_, i) =>
      row(100 + 14 * i, { 60: `item ${i}`, 160: '8.0', 220: '12.50', 300: '99.00' }),
    )
    const y = 100 + 14 * items.length
    const total = textRunOf('Amount payable', 174, y)
    const words = total.words.map((w, i) => ({
      ...w,
      box: { ...w.box, x0: w.box.x0 - 2.2 * i, x1: w.box.x1 - 2.2 * i },
    }))
    const found = find([...items.flat(), { ...total, words }, textRunOf('99.00', 300, y)], [])
    const cells = found.tables.flatMap((t) => t.cells.flatMap((c) => c.textRuns.map((p) => p.text)))
    expect(cells).toContain('Amount payable')
  })

  it('cells of right-to-left text that follow each other closely are cut', () => {
    const items = Array.from({ length: 6 }, (_, i) =>
      row(100 + 14 * i, { 60: '12.50', 110: '2587', 160: 'אבג' }),
    )
    const joined = textRunOf('12.50 2587', 60, 184)
    const [left, right] = joined.words
    if (!left || !right) throw new Error('The text has two words.')
    const turned = [
      { ...left, text: '2587', box: { ...left.box, x0: 110, x1: 130 } },
      { ...left, text: '12.50' },
    ]
    const spans = joined.spans.map((span) => ({ ...span, text: '2587 12.50' }))
    const both = { ...joined, box: { ...joined.box, x1: 130 }, words: turned, spans, text: '2587 12.50' }
    const { tables } = find([...items.flat(), both, textRunOf('דהו', 160, 184)], [])
    expect(grid(tables[0]).at(-1)).toEqual(['12.50', '2587', 'דהו'])
  })

  it('items of a list above a ruled table stay a list', () => {
    const list = ['one', 'two'].flatMap((text, i) => row(60 + 14 * i, { 60: '•', 75: text }))
    const rows = [0, 1, 2].flatMap((i) => row(94 + 14 * i, { 60: `a${i}`, 130: 'b', 200: 'c' }))
    const found = find([...list, ...rows], [h(84), h(98), h(126)])
    expect(found.textRuns.map((p) => p.text)).toContain('one')
  })

  it('a frame of a field beside its label is no table', () => {
    const textRuns = [textRunOf('Name', 50, 100), textRunOf('Olga', 122, 100)]
    const box = [h(88, 120, 300), h(106, 120, 300), v(120, 88, 106), v(300, 88, 106)]
    expect(find(textRuns, box).tables).toEqual([])
    expect(find(textRuns.slice(1), box).tables).toHaveLength(1)
  })

  it('bars around text that is not shaded are frames', () => {
    const lines = Array.from({ length: 14 }, (_, i) =>
      textRunOf('the text of the page goes on', 60, 80 + 14 * i),
    )
    const fill = (x0: number, y0: number, x1: number, y1: number): Fill => ({
      box: { x0, y0, x1, y1 },
      color: 'dddddd',
    })
    const weak = (r: Rule): Rule => ({ ...r, weak: true })
    const rules = [
      h(40, 50, 500),
      h(60, 50, 500),
      h(280, 350, 500),
      v(350, 60, 280),
      v(500, 40, 280),
      v(50, 40, 60),
    ]
    const page = pageOf([], { fills: [fill(50, 40, 500, 60), fill(350, 60, 500, 280)] })
    const side = [textRunOf('Home', 60, 52), textRunOf('Weather', 360, 90), ...lines]
    const found = findTables({
      page,
      textRuns: side,
      turned: [],
      rules: [...rules, v(50, 60, 280), h(280, 50, 350)].map(weak),
    })
    expect(found.tables.every((t) => t.cells.length === 1)).toBe(true)
    expect(found.textRuns).toHaveLength(14)
  })
})
