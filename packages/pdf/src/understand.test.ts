import { describe, expect, it } from 'vitest'
import { paragraphsOf } from './blocks/block.ts'
import { findLines } from './lines/lines.ts'
import { glyphsOf, pageOf } from './lines/test-text-runs.ts'
import type { Glyph, Page, Rule } from './read/page.ts'
import { understand } from './understand.ts'

// Stages write into nothing they were given: everything that goes in is frozen, as deep as it goes.

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value))
    return value
  Object.freeze(value)
  for (const inner of value instanceof Map ? value.values() : Object.values(value)) freeze(inner)
  return value
}

const rule = (horizontal: boolean, at: number, from: number, to: number): Rule => ({
  horizontal,
  at,
  from,
  to,
  thickness: 0.5,
  color: '000000',
  weak: false,
})

const lines = (texts: readonly string[], x: number, y: number, step = 12, size = 10): Glyph[] =>
  texts.flatMap((text, i) => glyphsOf(text, x, y + i * step, size))

const filler =
  'These are many words that fill a line of the page from its left edge up to its very right edge'

/** Two pages with all that stages change: running headers and footers, a heading, a list, a table, notes, a broken sentence. */
function pages(): Page[] {
  const grid = [
    ...[400, 420, 440].map((y) => rule(true, y, 60, 300)),
    ...[60, 180, 300].map((x) => rule(false, x, 400, 440)),
    // Under the heading.
    rule(true, 82, 60, 150),
  ]
  const first = [
    ...glyphsOf('A running line 1', 60, 30),
    ...glyphsOf('A heading', 60, 80, 20),
    ...lines([filler, filler, `${filler.slice(0, 50)}.`], 60, 120),
    ...glyphsOf('1', 315.5, 140, 6),
    ...lines(['1. one item', '2. another item'], 60, 200),
    ...lines(['name', 'pears'], 65, 413, 20),
    ...lines(['count', '12'], 185, 413, 20),
    ...lines(
      [
        filler,
        filler,
        'and this sentence has no end on this page because it fills the last line and it goes on over the',
      ],
      60,
      500,
    ),
    ...lines(['1 A note to the text.'], 60, 700, 12, 7),
  ]
  const second = [
    ...glyphsOf('A running line 2', 60, 30),
    ...lines(['page without a break in it.', filler, filler], 60, 80),
  ]
  return [pageOf(first, { rules: grid }), pageOf(second, { number: 1 })]
}

const properties = {
  title: '',
  author: '',
  subject: '',
  keywords: '',
  created: '',
  language: '',
}

describe('understand', () => {
  it('gives something new and leaves what it was given alone', () => {
    const all = pages()
    const pdf = { pages: all, numbers: [1, 2], bookmarks: [], properties, recognised: 0 }
    const found = freeze(pdf).pages.map(findLines)
    const document = understand(pdf, freeze(found))
    const blocks = document.sections.flatMap((s) => s.blocks)
    const texts = [...paragraphsOf(blocks)].map((p) => p.text)
    expect(texts).toContain('A heading')
    expect(texts).toContain('pears')
    expect(blocks.find((b) => b.kind === 'paragraph' && b.runs[0]?.style.underline)).toMatchObject({
      heading: 1,
    })
    expect(texts.some((t) => /goes on over the page without a break in it\.$/.test(t))).toBe(true)
    expect(blocks.filter((b) => b.kind === 'paragraph' && b.list)).toHaveLength(2)
    expect(document.notes).toHaveLength(1)
    expect(document.running.usual.header).toHaveLength(1)
  })

  it('reads columns of Hebrew from the right', () => {
    const column = (letter: string, x: number): Glyph[] =>
      lines(
        Array.from({ length: 8 }, () => `${letter.repeat(7)} `.repeat(5).trim()),
        x,
        100,
      )
    const all = [pageOf([...column('א', 50), ...column('ב', 300)])]
    const pdf = { pages: all, numbers: [1], bookmarks: [], properties, recognised: 0 }
    const [section] = understand(pdf, all.map(findLines)).sections
    const text = [...paragraphsOf(section?.blocks ?? [])].map((p) => p.text).join(' ')
    expect(text).toMatch(/^ב.*א$/)
    expect(section?.rtl).toBe(true)
  })

  it('keeps the lines of one heading together, where the tags name it', () => {
    const tag = { type: 'H2', parent: undefined }
    const heading = ['A heading in', 'Two lines'].flatMap((text, i) =>
      glyphsOf(text, 60, 80 + 20 * i, 16, { tag: i }),
    )
    const texts = (tags: Page['tags']): string[] => {
      const all = [pageOf([...heading, ...lines([filler, filler, filler], 60, 130)], { tags })]
      const pdf = { pages: all, numbers: [1], bookmarks: [], properties, recognised: 0 }
      const { sections } = understand(pdf, all.map(findLines))
      return [...paragraphsOf(sections.flatMap((s) => s.blocks))].map((p) => p.text)
    }
    expect(texts(new Map([0, 1].map((i) => [i, tag])))[0]).toBe('A heading in Two lines')
    expect(texts(new Map([0, 1].map((i) => [i, { ...tag, id: `${i}` }])))[0]).toBe('A heading in')
  })

  it('joins the lines of a column without its neighbour', () => {
    const full = 'These words of a column fill its whole width.'
    const column = (x: number): Glyph[] => lines(Array(20).fill(full), x, 100)
    // Two lines alone do not show where they were broken: on the whole page the word would have fitted.
    const last = ['A line that ends well before the edge', 'internationalisation ends it.']
    const second = [...lines([full, full, full], 50, 100), ...lines(last, 50, 170)]
    const all = [pageOf([...column(50), ...column(300)]), pageOf(second, { number: 1 })]
    const pdf = { pages: all, numbers: [1, 2], bookmarks: [], properties, recognised: 0 }
    const blocks = understand(pdf, all.map(findLines)).sections.flatMap((s) => s.blocks)
    expect([...paragraphsOf(blocks)].at(-1)?.text).toBe(last.join(' '))
  })

  it('gives the same again for the same pages', () => {
    const all = pages()
    const pdf = { pages: all, numbers: [1, 2], bookmarks: [], properties, recognised: 0 }
    const found = all.map(findLines)
    expect(understand(pdf, found)).toEqual(understand(pdf, found))
  })
})
