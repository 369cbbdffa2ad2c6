import { describe, expect, it } from 'vitest'
import type { Bookmark } from '../read/page.ts'
import { type Block, type Paragraph, paragraphsOf, type Run } from './block.ts'
import { findHeadings } from './headings.ts'

import { big, body, headings, headingsBeside, paragraph, pdfWith } from './test-headings.ts'

describe('headings', () => {
  it('are above a table of contents, whose entries are short', () => {
    const entries = [1, 2, 3, 4].map((n) => paragraph(`Part of kilns\t${n}`))
    expect(headingsBeside([paragraph('Contents', { bold: true }), ...entries, body()])).toEqual([
      ['Contents', 1],
    ])
  })

  it('are not the number of a chapter above its title', () => {
    const chapter = (n: number): Paragraph[] => [
      paragraph(`Chapter ${n}`, { size: 14, bold: true }),
      paragraph('The title of it', { size: 20, bold: true }),
      body(),
    ]
    expect(headings([...chapter(1), ...chapter(2)]).map(([text]) => text)).toEqual([
      'The title of it',
      'The title of it',
    ])
  })

  it('are not authors and dates directly above a larger heading, but sections of any size', () => {
    const under = [paragraph('Jo Smith', { size: 12 }), paragraph('Spring term', { size: 12 })]
    const first = paragraph('Background', { size: 14, bold: true })
    const texts = (between: Paragraph[]) =>
      headings([paragraph('The title', { size: 17 }), ...between, first, body()]).map(([text]) => text)
    expect(texts(under)).toEqual(['The title', 'Background'])
    expect(texts([...under, body()])).toContain('Spring term')
    expect(texts([paragraph('2. Scope', { size: 12 })])).toContain('2. Scope')
  })

  it('are those that look larger than all that bookmarks or tags name', () => {
    const sections = ['1.1 Scope', '1.2 Terms', '1.3 Tools'].flatMap((t) => [paragraph(t), body()])
    const bookmarks = sections.map(({ text }) => ({ title: text, level: 2, page: 0, y: Number.NaN }))
    const part = paragraph('Part one', { bold: true })
    const boldOnes = (blocks: Block[], marks: Bookmark[]): Block[] =>
      findHeadings(structuredClone([part, body(), ...blocks]), pdfWith(marks)).filter(
        (p) => p.kind === 'paragraph' && p.bold && p.heading !== undefined,
      )
    expect(boldOnes(sections, bookmarks)).toHaveLength(1)
    const tag = { type: 'H2', parent: undefined }
    const tagged = sections.map((p, i) => (i % 2 === 0 ? { ...p, tag } : p))
    expect(boldOnes(tagged, [])).toHaveLength(1)
    const bold = tagged.map((p) => (p.tag ? { ...p, size: 14, bold: true } : p))
    expect(boldOnes(bold, [])).toHaveLength(3)
  })

  it('may have little text below if they look like the others', () => {
    const part = (text: string): Paragraph => paragraph(text, { size: 14, bold: true })
    const end = [part('Notes'), paragraph('Thank you.')]
    expect(headings([part('Terms'), body(), ...end]).map(([text]) => text)).toEqual(['Terms', 'Notes'])
    const signed = [part('Terms'), body(), paragraph('Jo Smith', { bold: true }), paragraph('Director')]
    expect(headings(signed).map(([text]) => text)).toEqual(['Terms'])
  })

  it('are the largest line of a page without running text', () => {
    const lines: [text: string, size: number, bold?: boolean][] = [
      ['Certificate of Completion', 36, true],
      ['This is to certify that', 14],
      ['Samuel Okonkwo', 28],
      ['has completed the course', 14],
      ['Introduction to First Aid', 20, true],
      ['16 hours', 12],
    ]
    const cover = lines.map(([text, size, bold = false]) => paragraph(text, { size, bold }))
    expect(headings(cover).map(([text]) => text)).toEqual(['Certificate of Completion'])
    const prices = ['Bowl', 'Vase', 'Mug'].flatMap((t) => [
      paragraph(t, { size: 14 }),
      paragraph(`${t} at nine`, { size: 20 }),
    ])
    expect(headings(prices)).toEqual([])
  })

  it('may be in a frame', () => {
    const framed = paragraph('Contact', { size: 14, bold: true })
    const cell = { column: 0, columnSpan: 1, rowSpan: 1, continued: false, blocks: [framed, body()] }
    const box = { kind: 'table', columns: [200], rows: [{ cells: [cell] }], page: 0 } as unknown as Block
    const found = findHeadings([paragraph('Profile', { size: 14, bold: true }), body(), box], pdfWith([]))
    expect([...paragraphsOf(found)].filter((p) => p.heading === 1)).toHaveLength(2)
  })

  it('have their number on the line above', () => {
    const number = paragraph('2.1', { bold: true })
    const term = paragraph('open source', { bold: true, before: 0 })
    expect(headingsBeside([body(), number, term, body()]).map(([text]) => text)).toEqual(['open source'])
  })

  it('are bigger than the text, by levels', () => {
    const found = headings([
      paragraph('One', big),
      body(),
      paragraph('One and a half', { size: 13, bold: true }),
      body(),
      paragraph('Two', big),
      body(),
    ])
    expect(found).toEqual([
      ['One', 1],
      ['One and a half', 2],
      ['Two', 1],
    ])
  })

  it('without a look of their own are found in a document of several pages that has no others', () => {
    const inItalics = paragraph('Scope and purpose')
    for (const run of inItalics.runs) run.style.italic = true
    const text = (page: number): Paragraph[] => [body(), body(page), body(page), body(page)]
    expect(headings([inItalics, ...text(1)]).map(([title]) => title)).toEqual([inItalics.text])
    expect(headings([inItalics, ...text(0)])).toEqual([])
  })

  it('of one look have the levels of their numbers', () => {
    const found = headings(
      ['1 Scope', '2 Terms', '2.1 Names', '2.1.1 Short names'].flatMap((t) => [paragraph(t, big), body()]),
    )
    expect(found.map(([, level]) => level)).toEqual([1, 1, 2, 3])
  })

  it('are what a list of contents names, whose page numbers never fall', () => {
    const contents = (pages: number[]): Paragraph[] =>
      pages.map((n, i) => paragraph(`Part ${'ABCD'[i]}\t${n}`, { bold: true }))
    const parts = ['Part A', 'Part D'].flatMap((t) => [paragraph(t), body()])
    expect(headingsBeside([...contents([1, 2, 4, 9]), ...parts]).map(([t]) => t)).toEqual([
      'Part A',
      'Part D',
    ])
    expect(headingsBeside([...contents([9, 2, 4, 1]), ...parts])).toEqual([])
  })

  it('may be no bigger, when bold and over text that is not', () => {
    expect(headings([body(), paragraph('Bold', { bold: true }), body()]).map(([t]) => t)).toEqual(['Bold'])
    const labels = [paragraph('Monday', { bold: true }), paragraph('Closed')]
    expect(headingsBeside([body(), ...labels, body()])).toEqual([])
  })

  it('in capitals at the size of the text have text in other letters below them', () => {
    const capitals = paragraph('METHODS AND DATA')
    expect(headingsBeside([body(), capitals, body()])).toEqual([[capitals.text, 1]])
    expect(headingsBeside([body(), capitals, paragraph('12 HIGH STREET')])).toEqual([])
  })

  it('in capitals stand apart from the text', () => {
    expect(headings([body(), paragraph('REFERENCES'), body()]).map(([t]) => t)).toEqual(['REFERENCES'])
    expect(headingsBeside([body(), paragraph('REFERENCES', { before: 0 }), body()])).toEqual([])
  })

  it('are no sentences, addresses, dates or numbers', () => {
    for (const text of ['Call us on any day.', 'www.example.org', 'me@example.org', 'No. 20.01.2012', 'so,'])
      expect(headingsBeside([body(), paragraph(text, { size: 12, bold: true }), body()]), text).toEqual([])
  })

  it('are no stack of lines, and nothing without text below', () => {
    const line = (text: string): Paragraph => paragraph(text, { ...big, before: 0 })
    const stack = [line('The Office'), line('Main Street'), line('Some Town')]
    for (const [i, p] of stack.entries()) p.lastBaseline = p.firstBaseline = 500 + 20 * i
    expect(headingsBeside([...stack, body()])).toEqual([])
    expect(headingsBeside([body(), paragraph('The President', big)])).toEqual([])
  })

  it('on a cover are the title alone', () => {
    const cover = [paragraph('The title', { size: 24, bold: true }), paragraph('Version one', { size: 16 })]
    const after = [paragraph('Part', { ...big, page: 1 }), body(1)]
    expect(headings([...cover, ...after])).toEqual([
      ['The title', 0],
      ['Part', 1],
    ])
  })

  it('may have a number and a tab before them', () => {
    const tabs = [{ at: 20, align: 'left' as const, leader: false }]
    expect(
      headings([body(), paragraph('8\tChoosing a model', { bold: true, tabs }), body()]).map(([t]) => t),
    ).toEqual(['8\tChoosing a model'])
    expect(headingsBeside([body(), paragraph('Left\tand right', { bold: true, tabs }), body()])).toEqual([])
  })

  it('end with a colon only where there are no others', () => {
    expect(headings([body(), paragraph('Using the tool:', { bold: true }), body()])).toHaveLength(1)
    expect(headingsBeside([body(), paragraph('Note:', { bold: true }), body()])).toEqual([])
  })

  it('may be plain, with the number of a section and space around', () => {
    for (const text of ['2.1 Methods and data', 'II. Methods', 'Appendix A: Methods'])
      expect(headings([body(), paragraph(text), body()]), text).toHaveLength(1)
    expect(headingsBeside([body(), paragraph('2.1 Methods', { before: 0 }), body()])).toEqual([])
    const items = ['1. Cut it', '2. Paste it'].map((t) => paragraph(t, { label: t.slice(0, 2) }))
    expect(headings([body(), ...items, body()]).map(([t]) => t)).not.toContain('1. Cut it')
  })

  it('are no items that count on from the line before', () => {
    const items = ['1. Cut it', '2. Paste it'].map((t) => paragraph(t, { label: t.slice(0, 2) }))
    expect(headingsBeside([body(), ...items, body()])).toEqual([])
    expect(headings([body(), ...items.slice(1), body()]).map(([t]) => t)).toEqual(['2. Paste it'])
  })

  it('are no last item of Roman numerals or letters, and no item with text of its own', () => {
    const last = paragraph('iv. Outlasts the old water', { label: 'iv.', textAt: 30 })
    expect(headingsBeside([paragraph('iii. Rose and into', { label: 'iii.' }), last, body()])).toEqual([])
    const item = paragraph('2. The clay of the hand', { label: '2.', textAt: 30 })
    expect(headingsBeside([body(), item, { ...body(), left: 30 }])).toEqual([])
    expect(headingsBeside([body(), item, body()])).toHaveLength(1)
  })

  it('are bold in Chinese where their number is', () => {
    const close = { ...body(), before: 0 }
    const numbered = (bold: boolean): Paragraph => {
      const p = paragraph('2.1. 安装服务器', { label: '2.1.' })
      const [run] = p.runs as [Run]
      const number = { text: '2.1. ', style: { ...run.style, bold } }
      return { ...p, runs: [number, { ...run, text: '安装服务器' }] }
    }
    expect(headings([body(), numbered(true), close])).toHaveLength(1)
    expect(headingsBeside([body(), numbered(false), close])).toEqual([])
  })

  it('stand where the bookmarks lead to, not in a list before them', () => {
    const entry = paragraph('Usage')
    const heading = paragraph('Usage')
    heading.firstBaseline = heading.box.y1
    entry.firstBaseline = entry.box.y1
    const mark = { title: 'Usage', level: 2, page: 0, y: heading.box.y0 }
    const marked = findHeadings([entry, body(), heading, body()], pdfWith([mark]))
    expect(marked.map((p) => p.kind === 'paragraph' && p.heading)).toEqual([
      undefined,
      undefined,
      2,
      undefined,
    ])
  })

  it('are no captions', () => {
    for (const text of [
      'Table 13.2. Effects',
      'Figure 4: Ways',
      'Abb. 3 Wege',
      'Таблица 2. Цены',
      'Afbeelding 1.2. Wegen',
      '그림 3 길',
    ])
      expect(headingsBeside([body(), paragraph(text, big), body()]), text).toEqual([])
    expect(headings([body(), paragraph('Table manners', big), body()])).toHaveLength(1)
  })

  it('lie below those that bookmarks name, where they are smaller', () => {
    const bookmarks = ['One', 'Two'].map((title) => ({ title, level: 2, page: 0, y: Number.NaN }))
    const blocks = [
      paragraph('One', big),
      body(),
      paragraph('Note', { bold: true }),
      body(),
      paragraph('Two', big),
      body(),
    ]
    const levels = findHeadings(blocks, pdfWith(bookmarks)).map((p) =>
      p.kind === 'paragraph' ? p.heading : 0,
    )
    expect(levels).toEqual([2, undefined, 3, undefined, 2, undefined])
  })

  it('stand out from the text of cells where there is no other text', () => {
    const cell = { column: 0, columnSpan: 1, rowSpan: 1, continued: false, fill: undefined, borders: {} }
    const look = { vertical: 'top' as const, turn: 0 as const, padding: { left: 0, right: 0 } }
    const row = { height: 10, header: false, cells: [{ ...cell, ...look, blocks: [body()] }] }
    const { box } = body()
    const table = { kind: 'table' as const, left: 0, columns: [300], rows: [row], before: 0, box, page: 0 }
    const starts = { startsPage: false, startsColumn: false, ruled: true }
    const blocks = [paragraph('Registry', big), { ...table, ...starts }]
    expect(findHeadings(blocks, pdfWith([]))[0]).toMatchObject({ heading: 1 })
  })

  it('are short lines that stand out where the rules find none', () => {
    const label = paragraph('Monday', { bold: true })
    expect(headings([body(), label, paragraph('Closed'), body()])).toEqual([['Monday', 1]])
    expect(headings([body(), paragraph('In italics'), body()])).toEqual([])
    const many = ['One', 'Two', 'Three'].map((text) => paragraph(text, { bold: true, before: 0 }))
    expect(headings([...many, paragraph('Few words')])).toEqual([])
  })
})
