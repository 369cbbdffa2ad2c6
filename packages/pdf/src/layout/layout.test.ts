import { describe, expect, it } from 'vitest'
import { plainFont, textRunOf } from '../lines/test-text-runs.ts'
import { layOut } from './layout.ts'
import { findRunning } from './running.ts'

const line = 'a line of running text that fills it'
const text = (bands: ReturnType<typeof layOut>): string[][][] =>
  bands.map((b) =>
    b.columns.map((c) =>
      c.items.map((i) => (i.kind === 'line' ? i.textRuns.map((p) => p.text).join('|') : i.kind)),
    ),
  )

describe('layout', () => {
  it('reads one column from top to bottom', () => {
    const textRuns = [textRunOf('second', 50, 120), textRunOf('first', 50, 100)]
    expect(text(layOut({ textRuns, tables: [], pictures: [] }))).toEqual([[['first', 'second']]])
  })

  it('reads two columns one after the other, below a title across both', () => {
    const title = textRunOf('A title that stands across both of the columns of the page below', 60, 80)
    const textRuns = [
      title,
      ...Array.from({ length: 8 }, (_, i) => [
        textRunOf(`${line} L${i}`, 50, 110 + 12 * i),
        textRunOf(`${line} R${i}`, 270, 110 + 12 * i),
      ]).flat(),
    ]
    const bands = text(layOut({ textRuns, tables: [], pictures: [] }))
    expect(bands).toHaveLength(2)
    expect(bands[1]).toHaveLength(2)
    expect(bands[1]?.[0]?.[7]).toBe(`${line} L7`)
    expect(bands[1]?.[1]?.[0]).toBe(`${line} R0`)
  })

  it('sees a bar of links beside a page of short paragraphs that has its own lines', () => {
    const bar = Array.from({ length: 8 }, (_, i) => ({
      ...textRunOf('Installing it', 50, 100 + 17 * i),
      order: i,
    }))
    const page = Array.from({ length: 9 }, (_, i) => {
      const own = i % 3 === 1 ? 'A paragraph that takes all of the width of this page' : 'Settings'
      return { ...textRunOf(own, 150, 104 + 15.4 * i), order: 20 + i }
    })
    const [band] = layOut({ textRuns: [...bar, ...page], tables: [], pictures: [] })
    expect(band?.columns.map((c) => c.items.length)).toEqual([8, 9])
  })

  it('sees columns that hold program text and bullets as well', () => {
    const font = { ...plainFont, mono: true }
    const column = (x: number) => [
      ...Array.from({ length: 4 }, (_, i) => textRunOf(`${line} ${i}`, x, 110 + 12 * i)),
      ...Array.from({ length: 12 }, (_, i) => ({ ...textRunOf('go()', x, 160 + 12 * i), font })),
      ...Array.from({ length: 3 }, (_, i) => [
        textRunOf('•', x, 310 + 12 * i),
        textRunOf(line, x + 15, 310 + 12 * i),
      ]).flat(),
    ]
    const bands = text(layOut({ textRuns: [...column(50), ...column(270)], tables: [], pictures: [] }))
    expect(bands.map((b) => b.map((c) => c.length))).toEqual([[19, 19]])
  })

  it('sees columns of lists of which a line takes most of the space between the columns', () => {
    const left = ['1. one', '2. two', '3. three hundred and four', '4. four'].map((words, i) => ({
      ...textRunOf(words, 50, 110 + 12 * i),
      order: i,
    }))
    const right = [0, 1, 3].map((i) => ({ ...textRunOf('and more', 190, 110 + 12 * i), order: 9 + i }))
    expect(text(layOut({ textRuns: [...left, ...right], tables: [], pictures: [] }))[0]).toHaveLength(2)
  })

  it('sees columns of short lines that are painted one after the other and out of step', () => {
    const column = (x: number, step: number, order: number) =>
      Array.from({ length: 12 }, (_, i) => ({
        ...textRunOf(`item ${i}`, x, 110 + step * i),
        order: order + i,
      }))
    const columnsOf = (right: ReturnType<typeof column>): number =>
      text(layOut({ textRuns: [...column(50, 12, 0), ...right], tables: [], pictures: [] }))[0]?.length ?? 0
    expect(columnsOf(column(270, 17, 20))).toBe(2)
    // In step, or row by row: a table.
    expect(columnsOf(column(270, 12, 20))).toBe(1)
    const items = (x: number, order: number) =>
      column(x, 12, order).map((p, i) => ({ ...p, text: `${i + 1}. ${p.text}` }))
    const lists = [...items(50, 0), ...column(270, 12, 20)]
    expect(text(layOut({ textRuns: lists, tables: [], pictures: [] }))[0]).toHaveLength(2)
    expect(columnsOf(column(270, 17, 0))).toBe(1)
  })

  it('sees columns above a table that has a gap where they have one', () => {
    const rows = 6
    const column = (x: number, y: number, order: number) =>
      Array.from({ length: rows }, (_, i) => ({
        ...textRunOf('short lines', x, y + 12 * i),
        order: order + i,
      }))
    const table = Array.from({ length: rows }, (_, i) =>
      [50, 150].map((x, c) => ({ ...textRunOf(`${i}${c}`, x, 220 + 14 * i), order: 50 + 2 * i + c })),
    ).flat()
    const textRuns = [...column(50, 110, 0), ...column(150, 115, 20), ...table]
    const [columns] = text(layOut({ textRuns, tables: [], pictures: [] }))
    expect(columns?.map((c) => c.length)).toEqual([rows, rows])
  })

  it('sees three columns, one of them out of step', () => {
    const textRuns = [0, 1, 2].flatMap((c) =>
      Array.from({ length: 12 }, (_, i) =>
        textRunOf(`lines of a narrow column ${c}`, 40 + 160 * c, 110 + 14 * i + (c === 0 ? 5 : 0)),
      ),
    )
    const [band] = text(layOut({ textRuns, tables: [], pictures: [] }))
    expect(band?.map((column) => column.length)).toEqual([12, 12, 12])
  })

  it('reads lines of Hebrew from the right, and their labels first', () => {
    const item = { ...textRunOf('אחד שניים', 50, 100), rtl: true }
    const read = (label: string) =>
      text(layOut({ textRuns: [item, textRunOf(label, 120, 100)], tables: [], pictures: [] }))
    for (const [painted, label] of [
      ['.1', '1.'],
      [')a', 'a)'],
      [')ii)', '(ii)'],
    ])
      expect(read(painted as string)).toEqual([[[`${label}|אחד שניים`]]])
  })
})

describe('running lines', () => {
  const page = (n: number): { height: number; textRuns: ReturnType<typeof textRunOf>[] } => ({
    height: 800,
    textRuns: [
      textRunOf('Annual report', 50, 40),
      textRunOf(`text of page ${'abc'[n]}`, 50, 400),
      textRunOf(`Page ${n + 1}`, 280, 780),
    ],
  })

  it('finds headers and page numbers that repeat', () => {
    const { header, footer } = findRunning([page(0), page(1), page(2)])
    expect(header.map((h) => h.map((p) => p.text))).toEqual([
      ['Annual report'],
      ['Annual report'],
      ['Annual report'],
    ])
    expect(footer.map((f) => f.map((p) => p.text))).toEqual([['Page 1'], ['Page 2'], ['Page 3']])
  })

  it('finds none on pages that show nothing else', () => {
    const ticket = (number: number) => ({ height: 800, textRuns: [textRunOf(`Ticket ${number}`, 50, 60)] })
    const tickets = [1, 2, 3].map(ticket)
    expect(findRunning(tickets).header).toEqual([[], [], []])
    expect(findRunning(tickets.map((page) => ({ ...page, showsMore: true }))).header.flat()).toHaveLength(3)
  })

  it('finds only the page number of a single page', () => {
    const { header, footer } = findRunning([page(0)])
    expect([header, footer.map((f) => f.map((p) => p.text))]).toEqual([[[]], [['Page 1']]])
  })

  it.each([
    ['the last page of two', ['', '2'], [0, 1]],
    ['first pages of chapters', ['7', '', '', '10', ''], [1, 0, 0, 1, 0]],
    ['no numbers of pages', ['7', '', '', '31', ''], [0, 0, 0, 0, 0]],
  ])('finds numbers that stand alone: %s', (_, numbers, lengths) => {
    const pages = numbers.map((text, i) => ({
      height: 800,
      textRuns: [textRunOf(`text ${'abcde'[i]}`, 50, 400), ...(text ? [textRunOf(text, 280, 780)] : [])],
    }))
    expect(findRunning(pages).footer.map((f) => f.length)).toEqual(lengths)
  })

  it.each(['17', 'xvii', '– 17 –', '[17]', 'Page 3 of 12', '3/12'])(
    'takes %s at the edge for a page number',
    (text) => {
      const lines = [textRunOf(text, 280, 30), textRunOf('text of the page', 50, 100)]
      expect(findRunning([{ height: 800, textRuns: lines }]).header[0]).toEqual([lines[0]])
    },
  )

  it.each([
    ['in a line', '17', 30, 30],
    ['close to the text', '17', 84, 100],
    ['inside the page', '17', 200, 300],
    ['of a heading', '17 Results', 30, 100],
    ['with a unit', '17 %', 30, 100],
  ])('leaves a number %s of a single page alone', (_, text, y, nextY) => {
    const textRuns = [textRunOf(text, 50, y), textRunOf('text of the page', 200, nextY)]
    expect(findRunning([{ height: 800, textRuns }])).toEqual({ header: [[]], footer: [[]] })
  })
})

describe('the footer of a single page', () => {
  const letter = [100, 112, 124, 136, 148].map((y) =>
    textRunOf('Words of the letter that fill a line', 50, y, 11),
  )
  const footerOf = (...small: ReturnType<typeof textRunOf>[]): string[] => footersOf(true, ...small)
  const footersOf = (forWord: boolean, ...small: ReturnType<typeof textRunOf>[]): string[] =>
    (findRunning([{ height: 800, textRuns: [...letter, ...small] }], forWord).footer[0] ?? []).map(
      (p) => p.text,
    )

  it('is small print far below the rest', () => {
    expect(footerOf(textRunOf('Some Company, Some Street', 50, 770, 7))).toEqual([
      'Some Company, Some Street',
    ])
  })

  it('is text where running text is omitted', () => {
    expect(footersOf(false, textRunOf('Some Company, Some Street', 50, 770, 7))).toEqual([])
  })

  it('is not a note, nor text of the usual size', () => {
    expect(footerOf(textRunOf('1 See elsewhere', 50, 770, 7))).toEqual([])
    expect(footerOf(textRunOf('The last line of it', 50, 770, 11))).toEqual([])
  })
})
