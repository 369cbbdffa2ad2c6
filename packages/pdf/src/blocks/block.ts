import type { Box } from '../geometry.ts'
import type { Style } from '../lines/line.ts'
import { breakMark, cutMark } from '../marks.ts'
import type { Font, Picture, Tag } from '../read/page.ts'
import { plainFont } from '../read/plain-font.ts'
import type { Border } from '../tables/table.ts'
import { usualSize } from '../typography.ts'
import type { CodeLine } from './code.ts'

// The document as a word processor sees it. Lengths are points; indents count from the column's edges.

export interface Run {
  /** May hold tabs (`\t`) and forced line ends (`\n`). */
  text: string
  style: Style
  /** The mark of the footnote with this id. */
  note?: number
}

export interface TabStop {
  at: number
  align: 'left' | 'right'
  leader: boolean
}

export interface ListMark {
  /** Paragraphs with the same id are one list. */
  id: number
  level: number
  /** Word's name of the number format: bullet, decimal, lowerLetter, lowerRoman … */
  format: string
  /** How the label is written, `%1.` or the bullet itself. */
  pattern: string
  start: number
  /** The label's look. */
  style: Style
  /** Where the label and the text begin. */
  labelAt: number
  textAt: number
  /** Continuation lines are aligned with the text, not with the label. */
  hangs: boolean
  /** The label as written in the text, with the space after it. */
  written: string
}

/** Where a block was on its page, and how it is separated from the block before it. */
interface Placed {
  box: Box
  page: number
  /** Space above it. */
  before: number
  /** It begins a page of the source. */
  startsPage: boolean
  /** It begins a column of the source that is not the first of its band. */
  startsColumn: boolean
}

/** What its lines show on the page. */
interface ParagraphGeometry extends Placed {
  lines: number
  firstBaseline: number
  lastBaseline: number
  lastLine: Box
  /** The list label it started with, before it became a list. */
  label: string
  /** Where the text behind the label begins. */
  textAt: number
  tag?: Tag | undefined
}

/** How a word processor sets it. */
interface ParagraphStyle {
  align: 'left' | 'center' | 'right' | 'justify'
  left: number
  right: number
  /** First-line indent relative to the other lines; negative for a hanging indent. */
  first: number
  after: number
  /** Letter spacing that keeps the line breaks of the source. */
  spread: number
  /** From baseline to baseline; undefined with a single line. */
  pitch?: number | undefined
  size: number
  font: Font
  bold: boolean
  rtl: boolean
  tabs: TabStop[]
  borders?: { top?: Border; bottom?: Border; left?: Border; right?: Border } | undefined
  /** Distance of the borders from the text. */
  borderSpace?: { top?: number; bottom?: number } | undefined
  fill?: string | undefined
  /** Must be on the same page as the next block. */
  keepNext?: boolean
}

/** What it is in the document: by default, text. */
interface ParagraphRole {
  /** 0 is the title. */
  heading?: number | undefined
  list?: ListMark | undefined
  /** Level of an entry of the table of contents. */
  toc?: number | undefined
  /** Its lines, where it is code. */
  code?: CodeLine[] | undefined
  /** The OCR text of a scan, covered by its picture. */
  hidden?: boolean
  /** Was rotated text in the margin. */
  aside?: boolean
}

export interface Paragraph extends ParagraphGeometry, ParagraphStyle, ParagraphRole {
  kind: 'paragraph'
  runs: Run[]
  text: string
  pictures: PlacedPicture[]
}

export interface PlacedPicture {
  picture: Picture
  /** Inline pictures are part of a line; the others are at a fixed position on the page. */
  placement: 'inline' | 'wrap' | 'behind' | 'front'
}

export interface Cell {
  column: number
  columnSpan: number
  rowSpan: number
  /** Covered by the cell above it. */
  continued: boolean
  blocks: Block[]
  fill: string | undefined
  borders: { top?: Border; bottom?: Border; left?: Border; right?: Border }
  vertical: 'top' | 'center' | 'bottom'
  /** Quarter turns of vertical text. */
  turn: 0 | 1 | 3
  /** Distances between the cell's borders and its text, in points. */
  padding: { left: number; right: number }
}

export interface Row {
  height: number
  header: boolean
  cells: Cell[]
}

export interface Table extends Placed {
  kind: 'table'
  left: number
  columns: number[]
  rows: Row[]
  ruled: boolean
  /** Its first column is the rightmost. */
  rtl?: true
  /** Only for scans: the rows as lines of text, for a page that is covered by its picture. */
  lines?: Paragraph[]
}

export type Block = Paragraph | Table

/** Without the marks of broken words. */
export const textOf = (runs: readonly Run[]): string =>
  runs.map((r) => r.text.replaceAll(breakMark, '').replaceAll(cutMark, '')).join('')

/** Without the first `length` characters and the space after them. */
export function withoutStart(runs: readonly Run[], length: number): Run[] {
  let left = length
  const cut = runs.map((run) => {
    const text = run.text.slice(left)
    left = Math.max(0, left - run.text.length)
    return { ...run, text }
  })
  const from = cut.findIndex(({ text }) => text.trim() !== '')
  return from < 0
    ? []
    : cut.slice(from).flatMap((run, i) => {
        const text = i === 0 ? run.text.trimStart() : run.text
        return text === '' ? [] : [{ ...run, text }]
      })
}

export const blocksIn = ({ rows }: Table): Block[] =>
  rows.flatMap(({ cells }) => cells.flatMap((c) => c.blocks))

/** A frame around text, represented as a table of one cell. */
export const isBox = (block: Block): block is Table =>
  block.kind === 'table' && block.rows.length === 1 && block.columns.length === 1

/** The blocks with the content of frames in place of the frames. */
export const opened = (blocks: readonly Block[]): Block[] =>
  blocks.flatMap((block) => (isBox(block) ? opened(blocksIn(block)) : [block]))

/** All paragraphs, including those in table cells. */
export function* paragraphsOf(blocks: readonly Block[]): Generator<Paragraph> {
  for (const block of blocks) {
    if (block.kind === 'paragraph') yield block
    else yield* paragraphsOf(blocksIn(block))
  }
}

/** A paragraph without text, with default values. */
export function emptyParagraph(box: Box, page: number, like: Paragraph | undefined): Paragraph {
  return {
    kind: 'paragraph',
    runs: [],
    text: '',
    align: 'left',
    left: 0,
    right: 0,
    first: 0,
    spread: 0,
    lines: 1,
    size: like?.size ?? usualSize,
    font: like?.font ?? plainFont('Times New Roman'),
    bold: false,
    before: 0,
    after: 0,
    tabs: [],
    rtl: false,
    label: '',
    textAt: 0,
    firstBaseline: box.y1,
    lastBaseline: box.y1,
    lastLine: box,
    box,
    page,
    startsPage: false,
    startsColumn: false,
    pictures: [],
  }
}
