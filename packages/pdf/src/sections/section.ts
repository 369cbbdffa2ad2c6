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
  /** To the next column. */
  gap: number
}

/** Less space at the top of a page is not seen, in points. More needs a paragraph of its own: programs drop it there. */
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
  /** Undefined: as the others. */
  first: RunningParts | undefined
  even: RunningParts | undefined
  /** What the first page is counted as. */
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
  /** Remarks for the reader of the file, such as that text was recognised. */
  remarks: string[]
  /** Space between letters, in ems, of fonts that a stand-in replaces. */
  spacing: ReadonlyMap<Font, number>
}
