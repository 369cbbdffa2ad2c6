import { describe, expect, it } from 'vitest'
import { pageOf, textRunOf } from '../lines/test-text-runs.ts'
import type { Rule } from '../read/page.ts'
import { find, findTables, grid, h, row, v } from './test-tables.ts'

describe('ruled tables', () => {
  const outline = [h(100, 50, 250), h(120, 50, 250), h(140, 50, 250), v(50, 100, 140), v(250, 100, 140)]

  it('finds cells between rules, and puts text into them', () => {
    const textRuns = [
      textRunOf('a', 60, 115),
      textRunOf('b', 160, 115),
      textRunOf('c', 60, 135),
      textRunOf('d', 160, 135),
    ]
    const { tables, textRuns: rest } = findTables({
      page: pageOf([]),
      textRuns,
      turned: [],
      rules: [...outline, v(150, 100, 140)],
    })
    expect(rest).toEqual([])
    expect(tables).toHaveLength(1)
    expect(tables[0]?.cells.map((c) => [c.row, c.column, c.textRuns.map((p) => p.text).join()])).toEqual([
      [0, 0, 'a'],
      [0, 1, 'b'],
      [1, 0, 'c'],
      [1, 1, 'd'],
    ])
  })

  it('merges cells where a rule is missing', () => {
    const textRuns = [textRunOf('title', 60, 115), textRunOf('c', 60, 135), textRunOf('d', 160, 135)]
    const { tables } = findTables({
      page: pageOf([]),
      textRuns,
      turned: [],
      rules: [...outline, v(150, 120, 140)],
    })
    expect(tables[0]?.cells[0]).toMatchObject({ row: 0, column: 0, columnSpan: 2 })
  })

  it('cuts a line that runs across a rule', () => {
    const textRuns = [textRunOf('left right', 125, 115), textRunOf('c', 60, 135), textRunOf('d', 160, 135)]
    const { tables } = findTables({
      page: pageOf([]),
      textRuns,
      turned: [],
      rules: [...outline, v(147, 100, 140)],
    })
    expect(tables[0]?.cells.slice(0, 2).map((c) => c.textRuns.map((p) => p.text).join())).toEqual([
      'left',
      'right',
    ])
  })

  it('lines shaded one by one, as wide as their texts, are none', () => {
    const weak = (rule: Rule): Rule => ({ ...rule, weak: true, color: 'cccccc' })
    const shade = (y: number, to: number): Rule[] =>
      [h(y, 50, to), h(y + 20, 50, to), v(50, y, y + 20), v(to, y, y + 20)].map(weak)
    const texts = ['make', 'make install', 'make clean']
    const textRuns = texts.map((text, i) => textRunOf(text, 52, 115 + 20 * i))
    const rules = [...shade(100, 80), ...shade(120, 120), ...shade(140, 110)]
    expect(findTables({ page: pageOf([]), textRuns, turned: [], rules }).tables).toEqual([])
  })

  it('shaded paragraphs side by side are the header of the rows below', () => {
    const color = '444444'
    const fills = [50, 120, 190].map((x0, i) => ({
      box: { x0, y0: 100 - 5 * i, x1: x0 + 60, y1: 120 },
      color,
    }))
    const rules = fills.flatMap(({ box: { x0, y0, x1, y1 } }) =>
      [h(y0, x0, x1), h(y1, x0, x1), v(x0, y0, y1), v(x1, y0, y1)].map((r) => ({ ...r, weak: true, color })),
    )
    const textRuns = ['name', 'one', 'two'].flatMap((head, i) => [
      textRunOf(head, 52 + 70 * i, 113),
      ...[0, 1, 2, 3, 4].map((j) => textRunOf(i === 0 ? `row ${j}` : `${j}.50`, 52 + 70 * i, 133 + 15 * j)),
    ])
    const { tables } = findTables({ page: pageOf([], { fills }), textRuns, turned: [], rules })
    expect(tables.map((t) => grid(t)[0])).toEqual([['name', 'one', 'two']])
  })

  it('two shaded rows are the header of the rows below', () => {
    const shade = (rule: Rule, color: string): Rule => ({ ...rule, weak: true, color })
    const bands = [100, 114].map((y0, i) => ({
      box: { x0: 50, y0, x1: 250, y1: y0 + 14 },
      color: i === 0 ? '000000' : 'cccccc',
    }))
    const rules = bands.flatMap(({ box: { y0, y1 }, color }) =>
      [h(y0), h(y1), ...[50, 120, 190, 250].map((x) => v(x, y0, y1))].map((r) => shade(r, color)),
    )
    const rows = [132, 146, 160, 174, 188].flatMap((y, i) =>
      row(y, { 52: 'row', 122: `${i}.5`, 192: `${i}.9` }),
    )
    const textRuns = [
      ...row(110, { 52: 'name', 122: 'one', 192: 'two' }),
      ...row(124, { 52: 'all', 122: 'kg', 192: 'lb' }),
    ]
    const page = pageOf([], { fills: bands })
    const headOf = (below: typeof rows) =>
      findTables({ page, textRuns: [...textRuns, ...below], turned: [], rules }).tables.map(
        (t) => grid(t).length,
      )
    expect([headOf(rows), headOf([])]).toEqual([[7], [2]])
  })

  it('a shaded title above a shaded text is no table of two rows', () => {
    const fills = [100, 120].map((y0, i) => ({
      box: { x0: 50, y0, x1: 250, y1: y0 + 20 },
      color: i === 0 ? '880000' : 'eecccc',
    }))
    const rules = fills.flatMap(({ box: { y0, y1 }, color }) =>
      [h(y0), h(y1), v(50, y0, y1), v(250, y0, y1)].map((r) => ({ ...r, weak: true, color })),
    )
    const textRuns = ['Block', 'Text of the block.'].map((text, i) => textRunOf(text, 54, 114 + 20 * i))
    const { tables } = findTables({ page: pageOf([], { fills }), textRuns, turned: [], rules })
    expect(tables.map(grid)).toEqual([[['Block']], [['Text of the block.']]])
  })

  it('lines shaded one by one in one colour are one cell', () => {
    const weak = (rule: Rule): Rule => ({ ...rule, weak: true, color: 'eeeeee' })
    const tops = [100, 112, 124]
    const fills = tops.map((y0) => ({ box: { x0: 50, y0, x1: 250, y1: y0 + 12 }, color: 'eeeeee' }))
    const rules = [...[...tops, 136].map((y) => weak(h(y))), weak(v(50, 100, 136)), weak(v(250, 100, 136))]
    const textRuns = tops.map((y, i) => textRunOf(`line ${i} of code`, 54, y + 9))
    const page = { ...pageOf([]), fills }
    expect(grid(findTables({ page, textRuns, turned: [], rules }).tables[0])).toHaveLength(1)
  })

  it('keeps lines of running text in one row, however far apart', () => {
    const rules = [h(100), h(160), v(50, 100, 160), v(120, 100, 160), v(250, 100, 160)]
    const lines = ['structural analysis of', 'buildings with several', 'families of columns']
    const inBand = (first: readonly string[]) => [
      ...first.map((text, i) => textRunOf(text, 54, 115 + 16 * i)),
      ...lines.map((text, i) => textRunOf(text, 124, 115 + 16 * i)),
    ]
    expect(grid(find(inBand(['Complex', 'cases of', 'analysis']), rules).tables[0])).toHaveLength(1)
  })
})

/** Neighbours less than an em apart are one text run, as the stage before makes them. */
function joined(textRuns: ReturnType<typeof textRunOf>[]): ReturnType<typeof textRunOf>[] {
  const out: ReturnType<typeof textRunOf>[] = []
  for (const textRun of textRuns) {
    const last = out.at(-1)
    if (last && last.baseline === textRun.baseline && textRun.box.x0 - last.box.x1 < 10) {
      const text = `${last.text} ${textRun.text}`
      out[out.length - 1] = {
        ...last,
        text,
        words: [...last.words, ...textRun.words],
        spans: last.spans.map((s) => ({ ...s, text })),
        box: { ...last.box, x1: textRun.box.x1 },
      }
    } else out.push(textRun)
  }
  return out
}

describe('unruled tables', () => {
  it('finds columns of figures', () => {
    const textRuns = ['Apples 12 30', 'Pears 7 25', 'Plums 31 90', 'Cherries 8 11'].flatMap((row, i) => {
      const [name = '', a = '', b = ''] = row.split(' ')
      const y = 100 + 14 * i
      return [textRunOf(name, 50, y), textRunOf(a, 200, y), textRunOf(b, 300, y)]
    })
    const { tables } = findTables({ page: pageOf([]), textRuns, turned: [], rules: [] })
    expect(tables).toHaveLength(1)
    expect(tables[0]).toMatchObject({ ruled: false })
    expect(tables[0]?.xs).toHaveLength(4)
    expect(tables[0]?.ys).toHaveLength(5)
  })

  it('keeps rows apart below the names of their groups', () => {
    const group = (y: number, name: string, rows: readonly string[]) => [
      ...row(y, { 50: name }),
      ...rows.flatMap((key, i) => row(y + 12 + 12 * i, { 50: key, 150: '0 or 1', 290: `What ${key} does` })),
    ]
    const { tables } = find(
      [
        ...row(88, { 50: 'String', 150: 'Possible values', 290: 'What it means for the device' }),
        ...group(100, 'Lights', ['enable_leds', 'led_number']),
        ...group(148, 'Joystick', ['buttons', 'axis']),
      ],
      [],
    )
    expect(grid(tables[0]).map(([first]) => first)).toEqual([
      'String',
      'Lights',
      'enable_leds',
      'led_number',
      'Joystick',
      'buttons',
      'axis',
    ])
  })

  it('keeps rows together whose texts stand in their middle', () => {
    const textRuns = [
      ...row(100, { 50: 'Name', 150: 'Size', 250: 'Weight' }),
      ...row(124, { 50: 'Package' }),
      ...row(130, { 150: '1688', 250: '417.94' }),
      ...row(136, { 50: 'structure' }),
      ...row(160, { 50: 'Overview', 150: '2098', 250: '733.57' }),
      ...row(184, { 50: 'Analysis' }),
      ...row(190, { 150: '1788', 250: '595.77' }),
      ...row(196, { 50: 'of data' }),
    ]
    expect(grid(find(textRuns, []).tables[0])).toEqual([
      ['Name', 'Size', 'Weight'],
      ['Package structure', '1688', '417.94'],
      ['Overview', '2098', '733.57'],
      ['Analysis of data', '1788', '595.77'],
    ])
  })

  it('keeps remarks below their items, and rows of totals without a name', () => {
    const item = (y: number, name: string, remark: string, price: string) => [
      ...row(y, { 50: name, 200: '2', 290: price }),
      ...row(y + 11, { 50: remark }),
    ]
    const textRuns = [
      ...row(100, { 50: 'Item', 200: 'Pieces', 290: 'Price' }),
      ...item(120, 'Laptop', 'with a case', '950.00'),
      ...item(151, 'Printer', 'used', '80.00'),
      ...row(182, { 200: 'Total', 290: '1030.00' }),
    ]
    expect(grid(find(textRuns, []).tables[0])).toEqual([
      ['Item', 'Pieces', 'Price'],
      ['Laptop with a case', '2', '950.00'],
      ['Printer used', '2', '80.00'],
      ['', 'Total', '1030.00'],
    ])
  })

  it('finds two columns of figures, though the first could be labels', () => {
    const textRuns = [0.25, 0.5, 0.75, 1.25].flatMap((n, i) => [
      textRunOf(`${n}`, 60, 100 + 12 * i),
      textRunOf(`${n + 11}`, 130, 100 + 12 * i),
    ])
    expect(findTables({ page: pageOf([]), textRuns, turned: [], rules: [] }).tables).toHaveLength(1)
  })

  it('cuts columns at narrow gaps where many lines keep them, not where a few do', () => {
    const widths = (count: number): number | undefined => {
      const textRuns = Array.from({ length: count }, (_, i) => [
        textRunOf('name', 60, 100 + 12 * i),
        textRunOf('1234', 120, 100 + 12 * i),
        textRunOf('5678', 146, 100 + 12 * i),
        textRunOf('12', 220, 100 + 12 * i),
      ]).flat()
      return findTables({ page: pageOf([]), textRuns: joined(textRuns), turned: [], rules: [] }).tables[0]?.xs
        .length
    }
    expect([widths(8), widths(3)]).toEqual([5, 4])
  })

  it('leaves running text in two columns alone', () => {
    const line = 'words of running text that fill the whole column'
    const textRuns = Array.from({ length: 12 }, (_, i) => [
      textRunOf(line, 20, 100 + 12 * i),
      textRunOf(line, 300, 100 + 12 * i),
    ]).flat()
    expect(findTables({ page: pageOf([]), textRuns, turned: [], rules: [] }).tables).toEqual([])
  })

  it('takes labels on the right of right-to-left text for a list, not a table', () => {
    const textRuns = ['.1', ')ii)', '3.', ')d', '5.'].flatMap((label, i) => [
      { ...textRunOf('\u05d0\u05d1\u05d2 \u05d3\u05d4', 200, 100 + 14 * i), rtl: true },
      textRunOf(label, 300, 100 + 14 * i),
    ])
    expect(findTables({ page: pageOf([]), textRuns, turned: [], rules: [] }).tables).toEqual([])
  })

  it('takes labels with text behind them for a list, not a table', () => {
    const textRuns = ['1.', '2.', '3.', '4.', '5.'].flatMap((label, i) => [
      textRunOf(label, 50, 100 + 14 * i),
      textRunOf('some item', 90, 100 + 14 * i),
    ])
    expect(findTables({ page: pageOf([]), textRuns, turned: [], rules: [] }).tables).toEqual([])
  })
})
