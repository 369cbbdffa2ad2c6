import { describe, expect, it } from 'vitest'
import type { Paragraph } from './block.ts'
import { emptyParagraph } from './empty-paragraph.ts'
import { findHeadings } from './headings.ts'

// Paragraphs as the stage before makes them, with the looks that matter here.

let y = 0
function paragraph(text: string, look: Partial<Paragraph> = {}): Paragraph {
  y += 40
  const size = look.size ?? 10
  const box = { x0: 50, x1: 50 + 5 * text.length, y0: y - size, y1: y }
  const made = { ...emptyParagraph(box, look.page ?? 0, undefined), text, before: 10, ...look }
  const bold = look.bold ?? false
  const style = {
    font: made.font,
    size,
    bold,
    italic: false,
    color: '000000',
    underline: false,
    strike: false,
  }
  const rest = { script: undefined, link: undefined, field: undefined, highlight: undefined }
  return { ...made, runs: [{ text, style: { ...style, ...rest } }] }
}

const body = (page = 0): Paragraph =>
  paragraph('A paragraph of running text that goes on for more than one line. '.repeat(4), { lines: 4, page })
const big = { size: 16, bold: true }

function headings(paragraphs: Paragraph[]): [string, number][] {
  const properties = {
    title: '',
    author: '',
    subject: '',
    keywords: '',
    creator: '',
    created: '',
    language: '',
  }
  const pdf = { pages: [], numbers: [], bookmarks: [], properties, tagged: false, recognised: 0 }
  return findHeadings(paragraphs, pdf).flatMap((p): [string, number][] =>
    p.kind !== 'paragraph' || p.heading === undefined ? [] : [[p.text, p.heading]],
  )
}

describe('headings', () => {
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

  it('may be no bigger, when bold and over text that is not', () => {
    expect(headings([body(), paragraph('Bold', { bold: true }), body()]).map(([t]) => t)).toEqual(['Bold'])
    const labels = [paragraph('Monday', { bold: true }), paragraph('Closed')]
    expect(headings([body(), ...labels, body()])).toEqual([])
  })

  it('in capitals stand apart from the text', () => {
    expect(headings([body(), paragraph('REFERENCES'), body()]).map(([t]) => t)).toEqual(['REFERENCES'])
    expect(headings([body(), paragraph('REFERENCES', { before: 0 }), body()])).toEqual([])
  })

  it('are no sentences, addresses, dates or numbers', () => {
    for (const text of ['Call us on any day.', 'www.example.org', 'me@example.org', 'No. 20.01.2012', 'so,'])
      expect(headings([body(), paragraph(text, { size: 12, bold: true }), body()]), text).toEqual([])
  })

  it('are no stack of lines, and nothing without text below', () => {
    const line = (text: string): Paragraph => paragraph(text, { ...big, before: 0 })
    const stack = [line('The Office'), line('Main Street'), line('Some Town')]
    for (const [i, p] of stack.entries()) p.lastBaseline = p.firstBaseline = 500 + 20 * i
    expect(headings([...stack, body()])).toEqual([])
    expect(headings([body(), paragraph('The President', big)])).toEqual([])
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
    expect(headings([body(), paragraph('Left\tand right', { bold: true, tabs }), body()])).toEqual([])
  })

  it('of two justified lines are bold where the text is not', () => {
    const two = { size: 13, lines: 2, align: 'justify' as const }
    expect(headings([body(), paragraph('3. A long heading', { ...two, bold: true }), body()])).toHaveLength(1)
    expect(headings([body(), paragraph('A long lead over the text', two), body()])).toEqual([])
  })

  it('may end with a colon where they stand apart', () => {
    expect(headings([body(), paragraph('Using the tool:', { bold: true }), body()])).toHaveLength(1)
    expect(headings([body(), paragraph('Using the tool:', { bold: true, before: 0 }), body()])).toEqual([])
    expect(headings([body(), paragraph('Note:', { bold: true }), body()])).toEqual([])
  })

  it('may be plain, with the number of a section and space around', () => {
    for (const text of ['2.1 Methods and data', 'II. Methods', 'Appendix A: Methods'])
      expect(headings([body(), paragraph(text), body()]), text).toHaveLength(1)
    expect(headings([body(), paragraph('2.1 Methods', { before: 0 }), body()])).toEqual([])
    const items = ['1. Cut it', '2. Paste it'].map((t) => paragraph(t, { label: t.slice(0, 2) }))
    expect(headings([body(), ...items, body()]).map(([t]) => t)).not.toContain('1. Cut it')
  })

  it('may be set in a colour of their own', () => {
    const coloured = (color: string): Paragraph => {
      const p = paragraph('The harvest of the year')
      return { ...p, runs: p.runs.map((r) => ({ ...r, style: { ...r.style, color } })) }
    }
    expect(headings([body(), coloured('0050a0'), body()])).toHaveLength(1)
    expect(headings([body(), coloured('808080'), body()])).toEqual([])
  })

  it('are no captions', () => {
    for (const text of ['Table 13.2. Effects', 'Figure 4: Ways', 'Abb. 3 Wege', 'Таблица 2. Цены'])
      expect(headings([body(), paragraph(text, big), body()]), text).toEqual([])
    expect(headings([body(), paragraph('Table manners', big), body()])).toHaveLength(1)
  })
})
