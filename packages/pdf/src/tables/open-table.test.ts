import { describe, expect, it } from 'vitest'
import { pageOf, textRunOf } from '../lines/test-text-runs.ts'
import type { Rule } from '../read/page.ts'
import { find, findTables, grid, h, row, v } from './test-tables.ts'

describe('tables ruled across only', () => {
  const body = [
    ...row(134, { 60: 'alpha', 130: '12', 200: '3.5' }),
    ...row(146, { 60: 'beta', 130: '7', 200: '10' }),
    ...row(158, { 60: 'gamma', 130: '135', 200: '100' }),
  ]

  it('may be below a header, over names with descriptions of any length', () => {
    const entries = [
      ['and(some)', 'All operands of the expression must match what', 'the file has.'],
      ['not(one)', 'Negates the operand, which must be a single one', 'with a value.'],
      ['or(some)', 'At least one operand must match, and it may be', 'any of them.'],
      ['id(name)', 'Compares the name.'],
    ]
    const textRuns = [
      ...row(100, { 50: 'Builder', 250: 'Description' }),
      ...entries.flatMap(([name = '', first = '', rest], i) => [
        ...row(120 + 34 * i, { 50: name, 250: first }),
        ...(rest ? row(134 + 34 * i, { 250: rest }) : []),
      ]),
    ]
    expect(find(textRuns, []).tables).toEqual([])
    expect(find(textRuns, [h(106, 45, 520)]).tables.map((t) => t.ys.length - 1)).toEqual([5])
  })

  it('take columns from the white between texts and rows from baselines', () => {
    const head = row(114, { 60: 'name', 130: 'count', 200: 'size' })
    const { tables, textRuns } = find([...head, ...body], [h(102), h(120), h(164)])
    expect(tables).toHaveLength(1)
    expect(textRuns).toEqual([])
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
    const prose = [0, 1, 2].map((i) => textRunOf(words, 50, 190 + 12 * i))
    const again = [...row(244, { 60: 'one', 150: 'two' }), ...row(264, { 60: 'three', 150: 'four' })]
    const rules = [h(102), h(120), h(164), h(232), h(250), h(270)]
    const { tables, textRuns } = find([...head, ...body, ...prose, ...again], rules)
    expect(tables.map((t) => grid(t).length)).toEqual([4, 2])
    expect(textRuns.map((p) => p.text)).toEqual([words, words, words])
  })

  it('keep a cell of two lines in one row', () => {
    const textRuns = [
      ...row(114, { 60: 'name', 160: 'meaning' }),
      ...row(134, { 60: 'alpha', 160: 'the first of all' }),
      ...row(146, { 160: 'letters' }),
      ...row(158, { 60: 'beta', 160: 'the second' }),
    ]
    const { tables } = find(textRuns, [h(102), h(120), h(164)])
    expect(grid(tables[0])).toEqual([
      ['name', 'meaning'],
      ['alpha', 'the first of all letters'],
      ['beta', 'the second'],
    ])
  })

  it('are not made of running text between two lines', () => {
    const words = 'These words fill the width of the table'
    const prose = [0, 1, 2, 3].map((i) => textRunOf(words, 50, 120 + 12 * i))
    expect(find(prose, [h(102), h(164)]).tables).toEqual([])
  })

  it('are not made of two columns of running text between two lines', () => {
    const left = 'words that fill a col'
    const right = 'and words of the next'
    const prose = Array.from({ length: 12 }, (_, i) => [
      textRunOf(left, 50, 120 + 12 * i),
      textRunOf(right, 170, 120 + 12 * i),
    ]).flat()
    expect(find(prose, [h(102, 50, 275), h(270, 50, 275)]).tables).toEqual([])
  })

  it('make no column of what one line shows, nor of spaces that two lines share by chance', () => {
    const stamped = [...body, textRunOf('x', 235, 146)]
    expect(find(stamped, [h(122), h(164)]).tables[0]?.xs).toHaveLength(4)
    const spaced = [
      ...row(134, { 60: 'first', 130: '40', 148: 'hours', 181: 'each', 220: '10' }),
      ...row(146, { 60: 'second', 130: '50', 148: 'hours', 181: 'each', 220: '20' }),
    ]
    expect(find(spaced, [h(122), h(152)]).tables[0]?.xs).toHaveLength(4)
  })

  it('take in the headings above the first line', () => {
    const head = row(114, { 60: 'name', 130: 'count', 200: 'size' })
    expect(grid(find([...head, ...body], [h(120), h(164)]).tables[0])[0]).toEqual(['name', 'count', 'size'])
  })

  it('take in a heading of several lines above the first line, the last of which is not full', () => {
    const heads = [...row(106, { 60: 'name', 130: 'number', 200: 'size' }), ...row(116, { 130: 'of all' })]
    const { tables } = find([...heads, ...body], [h(120), h(164)])
    expect(grid(tables[0])[0]).toEqual(['name', 'number of all', 'size'])
  })

  it('are not made of a table of contents with rules below its entries', () => {
    const entries = [1, 3, 7, 9].flatMap((page, i) => row(114 + 20 * i, { 60: 'Some title', 230: `${page}` }))
    expect(find(entries, [h(118), h(138), h(158), h(178)]).tables).toEqual([])
  })

  it('are two where space parts them', () => {
    const head = row(114, { 60: 'name', 130: 'count', 200: 'size' })
    const again = [...row(244, { 60: 'one', 150: 'two' }), ...row(264, { 60: 'three', 150: 'four' })]
    const rules = [h(102), h(120), h(164), h(232), h(250), h(270)]
    expect(find([...head, ...body, ...again], rules).tables.map((t) => grid(t).length)).toEqual([4, 2])
  })

  it('are not made of a chart: drawings, and numbers that fall by one step', () => {
    const scale = [50, 40, 30, 20, 10, 0].flatMap((n, i) =>
      row(120 + 12 * i, { 60: `${n}`, 220: `${n / 10}` }),
    )
    const drawing = {
      box: { x0: 90, y0: 110, x1: 210, y1: 180 },
      format: 'png' as const,
      bytes: new Uint8Array(),
      likeness: 1,
      alt: '',
    }
    const input = { textRuns: scale, turned: [], rules: [h(102), h(190)] }
    expect(findTables({ ...input, page: pageOf([]) }).tables).toHaveLength(1)
    expect(findTables({ ...input, page: pageOf([], { pictures: [drawing] }) }).tables).toHaveLength(0)
  })
})

describe('tables ruled across and partly down', () => {
  const texts = [
    ...row(114, { 60: 'name', 130: 'count', 200: 'size' }),
    ...row(134, { 60: 'alpha', 130: '12', 200: '3.5' }),
    ...row(146, { 60: 'beta', 130: '135', 200: '100' }),
  ]

  it('get the columns that no rule shows', () => {
    const { tables } = find(texts, [h(102), h(120), h(152), v(110, 102, 152)])
    expect(tables).toHaveLength(1)
    expect(grid(tables[0])).toEqual([
      ['name', 'count', 'size'],
      ['alpha', '12', '3.5'],
      ['beta', '135', '100'],
    ])
  })

  it('keep a list in a cell together: bullets are no column', () => {
    const list = [
      ...row(114, { 60: 'name', 140: 'what it is' }),
      ...row(134, { 60: 'alpha', 140: '•', 155: 'the first' }),
      ...row(146, { 140: '•', 155: 'a letter' }),
      ...row(166, { 60: 'beta', 140: '•', 155: 'the second' }),
    ]
    const rules = [h(102), h(120), h(152), h(172), v(50, 102, 172), v(130, 102, 172), v(250, 102, 172)]
    expect(find(list, rules).tables[0]?.xs).toHaveLength(3)
  })
})

describe('shading', () => {
  const lines = [h(100), h(120), h(160), v(50, 100, 160), v(150, 100, 160), v(250, 100, 160)]
  const edges = (x0: number, y0: number, x1: number, y1: number): Rule[] =>
    [h(y0, x0, x1), h(y1, x0, x1), v(x0, y0, y1), v(x1, y0, y1)].map((r) => ({
      ...r,
      weak: true,
      color: 'ffeecc',
    }))
  const texts = [...row(114, { 60: 'a', 160: 'b' }), ...row(143, { 60: 'c', 160: 'd' })]
  const shapeOf = (boxes: [number, number, number, number][]): number[] => {
    const fills = boxes.map(([x0, y0, x1, y1]) => ({ box: { x0, y0, x1, y1 }, color: 'ffeecc' }))
    const rules = [...lines, ...boxes.flatMap((b) => edges(...b))]
    const table = findTables({ page: pageOf([], { fills }), textRuns: texts, turned: [], rules }).tables[0]
    return [table?.xs.length ?? 0, table?.ys.length ?? 0]
  }

  it('of a paragraph inside its shaded cell makes no columns', () =>
    expect(
      shapeOf([
        [50, 100, 150, 120],
        [56, 100, 144, 120],
      ]),
    ).toEqual([3, 3]))

  it('painted line by line makes no rows', () =>
    expect(
      shapeOf([
        [50, 120, 150, 140],
        [50, 140, 150, 160],
      ]),
    ).toEqual([3, 3]))
})

describe('a grid whose cells are all closed', () => {
  const lines = (ys: readonly number[]): Rule[] => [
    ...ys.map((y) => h(y)),
    ...[50, 180, 250].map((x) => v(x, ys[0] as number, ys.at(-1) as number)),
  ]

  it('keeps its columns, whatever gaps its cells have', () => {
    const names = [114, 134, 154, 174].flatMap((y, i) =>
      row(y, { 60: `name ${i}`, 140: 'chair', 200: 'here' }),
    )
    const { tables } = find(names, lines([100, 120, 140, 160, 180]))
    expect(grid(tables[0])).toEqual([0, 1, 2, 3].map((i) => [`name ${i} chair`, 'here']))
  })

  it('gives way where its rows hold several', () => {
    const names = [114, 134, 146, 158].flatMap((y, i) =>
      row(y, { 60: `n${i}`, 100: 'x', 190: '1', 220: '2' }),
    )
    const { tables } = find(names, lines([100, 120, 164]))
    expect(grid(tables[0])).toEqual([0, 1, 2, 3].map((i) => [`n${i}`, 'x', '1', '2']))
  })
})

describe('lines across that bound no table', () => {
  it('are bars of headings with a list between them', () => {
    const item = 'an item of the list that is as long as items are'
    const bars = [
      ...row(114, { 56: 'SAMPLES' }),
      ...[134, 146, 158, 170].flatMap((y) => row(y, { 60: '\u25aa', 76: item })),
      ...row(190, { 56: 'REFERENCES' }),
    ]
    const rules = [102, 120, 178, 196].map((y) => h(y, 50, 350))
    expect(find(bars, rules).tables).toEqual([])
  })

  it('stand around the heads alone, with the rows below', () => {
    const head = [
      ...row(102, { 130: 'textRuns', 200: 'price' }),
      ...row(114, { 60: 'item', 130: 'sold', 200: 'each' }),
    ]
    const rows = [140, 160, 180, 200].flatMap((y, i) =>
      row(y, { 60: `pot ${i}`, 130: `${i}`, 200: `${i}.50` }),
    )
    const { tables } = find([...head, ...rows], [h(90), h(120)])
    expect(tables.map((t) => grid(t).slice(-4))).toEqual([
      [...[0, 1, 2, 3].map((i) => [`pot ${i}`, `${i}`, `${i}.50`])],
    ])
  })
})
