import { describe, expect, it } from 'vitest'
import { emptyParagraph } from './assemble.ts'
import type { Paragraph } from './block.ts'
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
  const pdf = { pages: [], bookmarks: [], properties, tagged: false, recognised: 0 }
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
})
