import type { Box } from '../geometry.ts'

// The output of the reading stage: everything on a page, upright, in points from the top left.

export interface Font {
  /** As in the PDF, without the subset prefix: `LiberationSans-Bold`. */
  name: string
  bold: boolean
  italic: boolean
  serif: boolean
  mono: boolean
  /** A TeX bitmap font; its characters are TeX's codes. */
  nameless?: true
  /** Ascent and descent from the font, in ems. */
  ascent: number
  descent: number
}

export interface Glyph {
  text: string
  box: Box
  /** Origin of the glyph on the baseline. */
  x: number
  y: number
  size: number
  font: Font
  /** rrggbb. */
  color: string
  /** Clockwise quarter turns of the writing direction relative to the upright page; 0 for ordinary text. */
  turn: 0 | 1 | 2 | 3
  /** Written at an angle other than a quarter turn (watermarks). */
  slanted: boolean
  /** Index of the drawing operation that painted it. */
  order: number
  tag: number
  invisible: boolean
  /** A large symbol of a math font that extends below its origin; the box is that of its ink. */
  large?: boolean
}

export interface Rule {
  horizontal: boolean
  /** Position on the other axis: y of a horizontal rule, x of a vertical one. */
  at: number
  from: number
  to: number
  thickness: number
  color: string
  /** An edge of a filled area, not a drawn line. */
  weak: boolean
}

export interface Fill {
  box: Box
  color: string
}

export interface Picture {
  box: Box
  format: 'png' | 'jpeg'
  bytes: Uint8Array
  /** Pictures of the same size and position with the same number are considered equal. */
  likeness: number
  alt: string
}

export interface Link {
  box: Box
  uri?: string
  target?: { page: number; y: number }
}

export interface Field {
  box: Box
  kind: 'text' | 'check' | 'radio' | 'choice' | 'button' | 'signature'
  name: string
  value: string
  checked: boolean
  options: string[]
}

/** A node of the structure tree that owns marked content on a page. */
export interface Tag {
  /** Standard type: P, H1, L, LI, Lbl, LBody, Table, TR, TH, TD, Figure, Note, Artifact … */
  type: string
  parent: Tag | undefined
  /** Its index among the tags of its page. */
  at?: number
}

/** The tag itself or its nearest ancestor of one of these types. */
export function tagAround(tag: Tag | undefined, types: readonly string[]): Tag | undefined {
  let t = tag
  while (t && !types.includes(t.type)) t = t.parent
  return t
}

export const cellAround = (tag: Tag | undefined): Tag | undefined => tagAround(tag, ['TD', 'TH'])

export interface Page {
  number: number
  width: number
  height: number
  glyphs: Glyph[]
  rules: Rule[]
  fills: Fill[]
  pictures: Picture[]
  links: Link[]
  fields: Field[]
  /** By marked content id. */
  tags: Map<number, Tag>
  /** The page is a picture of paper; any text on it is from OCR, not typeset. */
  scan: boolean
}

export interface Bookmark {
  title: string
  level: number
  page: number
  /** From the top of the page; NaN if the bookmark has only a page. */
  y: number
}

export interface Properties {
  title: string
  author: string
  subject: string
  keywords: string
  created: string
  language: string
}

export interface PdfDocument {
  pages: Page[]
  /** Page numbers in the file, from 1. */
  numbers: number[]
  bookmarks: Bookmark[]
  properties: Properties
  /** Number of pages with text from OCR of this conversion. */
  recognised: number
}
