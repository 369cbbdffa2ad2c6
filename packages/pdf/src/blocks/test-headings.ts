import type { Bookmark, PdfDocument } from '../read/page.ts'
import { emptyParagraph, type Paragraph } from './block.ts'
import { findHeadings } from './headings.ts'

// Paragraphs as the stage before makes them, with the looks that matter here.

let y = 0
export function paragraph(text: string, look: Partial<Paragraph> = {}): Paragraph {
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

export const body = (page = 0): Paragraph =>
  paragraph('A paragraph of running text that goes on for more than one line. '.repeat(4), { lines: 4, page })
export const big = { size: 16, bold: true }

export function pdfWith(bookmarks: Bookmark[]): PdfDocument {
  const properties = {
    title: '',
    author: '',
    subject: '',
    keywords: '',
    created: '',
    language: '',
  }
  return { pages: [], numbers: [], bookmarks, properties, recognised: 0 }
}

export function headings(paragraphs: Paragraph[]): [string, number][] {
  return findHeadings(structuredClone(paragraphs), pdfWith([])).flatMap((p): [string, number][] =>
    p.kind !== 'paragraph' || p.heading === undefined ? [] : [[p.text, p.heading]],
  )
}

/** By the usual rules: the document has another heading, so that it is plausible without these. */
export function headingsBeside(paragraphs: Paragraph[]): [string, number][] {
  const known = paragraph('Another heading', { size: 30, bold: true })
  return headings([known, body(), ...paragraphs]).filter(([text]) => text !== known.text)
}
