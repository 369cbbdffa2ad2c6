import type { Box } from '../geometry.ts'
import type { Formula } from '../math/tree.ts'
import type { Field, Font, Link, Tag } from '../read/page.ts'

// What this stage hands on: text runs. A text run is a stretch of words on one baseline without a
// wide gap; a line of running text is usually one text run, a table row is one text run per cell.

export interface Style {
  font: Font
  size: number
  bold: boolean
  italic: boolean
  color: string
  underline: boolean
  strike: boolean
  script: 'super' | 'sub' | undefined
  link: Link | undefined
  field: Field | undefined
  /** Colour of a marker's stroke behind the text, when there is one. */
  highlight: string | undefined
  /** The text is that of a formula. */
  math?: Formula
}

export interface Span {
  text: string
  style: Style
}

export interface Word {
  text: string
  box: Box
}

export interface TextRun {
  box: Box
  baseline: number
  /** Of most of its characters. */
  size: number
  font: Font
  /** In reading order, spaces included. */
  spans: Span[]
  text: string
  words: Word[]
  rtl: boolean
  tag: Tag | undefined
  /** Smallest index of a drawing operation in it. */
  order: number
  /** Quarter turns against the upright page; the box is as it stands on the page. */
  turn: 0 | 1 | 2 | 3
}
