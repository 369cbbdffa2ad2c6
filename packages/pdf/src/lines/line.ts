import type { Box } from '../geometry.ts'
import type { Formula } from '../math/tree.ts'
import type { Field, Font, Link, Tag } from '../read/page.ts'

// The output of this stage: text runs. A text run is a sequence of words on one baseline without a wide gap; a line of
// running text is usually one text run, a table row has one text run per cell.

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
  /** Colour of the highlighter behind the text, if any. */
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
  /** Font size of most characters. */
  size: number
  font: Font
  /** In reading order, including spaces. */
  spans: Span[]
  text: string
  words: Word[]
  rtl: boolean
  tag: Tag | undefined
  /** Smallest index of a drawing operation in it. */
  order: number
  /** Quarter turns relative to the upright page; the bounding box is in page coordinates. */
  turn: 0 | 1 | 2 | 3
}
