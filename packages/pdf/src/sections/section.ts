import type { Block } from '../blocks/block.ts'
import type { Font, Properties } from '../read/page.ts'

export interface Margins {
  top: number
  bottom: number
  left: number
  right: number
  header: number
  footer: number
}

export interface SectionColumn {
  width: number
  /** Distance to the next column. */
  gap: number
}

/** In points: less is not visible at the top of a page; more needs an empty paragraph, because programs drop it. */
export const unseenAtTop = 3

export interface Section {
  page: { width: number; height: number }
  margins: Margins
  columns: SectionColumn[]
  /** The first column is the rightmost. */
  rtl?: boolean
  /** How it starts. */
  start: 'page' | 'continuous'
  blocks: Block[]
}

/** The running headers and footers of one kind of page. */
export interface RunningParts {
  header: Block[]
  footer: Block[]
}

export interface Running {
  usual: RunningParts
  /** Undefined: same as the other pages. */
  first: RunningParts | undefined
  even: RunningParts | undefined
  /** Page number of the first page. */
  firstNumber: number
}

export interface Note {
  id: number
  blocks: Block[]
}

export interface WordDocument {
  sections: Section[]
  running: Running
  notes: Note[]
  properties: Properties
  /** Remarks for the reader of the file, such as that text is from OCR. */
  remarks: string[]
  /** Letter spacing of substituted fonts, in ems. */
  spacing: ReadonlyMap<Font, number>
}
