// The content of sheets and slides, without formatting.

/** Text, or a link with its text. A line break is a newline. */
export type Run = string | { text: string; link: string }

export interface Cell {
  /** From 0. */
  column: number
  text: readonly Run[]
  /** Number of columns and rows that it spans. */
  columns: number
  rows: number
}

/** A row with content: empty rows and cells are not stored. */
export interface Row {
  /** From 0. */
  row: number
  cells: readonly Cell[]
}

export type Block =
  | { kind: 'paragraph'; text: readonly Run[] }
  | { kind: 'item'; depth: number; isNumbered: boolean; text: readonly Run[] }
  | { kind: 'table'; rows: readonly Row[] }
  | { kind: 'picture'; type: string; base64: string; description: string }

/** A sheet or a slide. */
export interface Part {
  /** From 1. */
  number: number
  title: string
  isHidden: boolean
  blocks: Block[]
  notes: Block[]
}

export interface Content {
  parts: Part[]
  /** Pictures in formats that browsers do not display. */
  unshownPictures: number
}

export const plainText = (runs: readonly Run[]): string =>
  runs.map((run) => (typeof run === 'string' ? run : run.text)).join('')

export const isBlank = (runs: readonly Run[]): boolean =>
  runs.every((run) => (typeof run === 'string' ? run : run.text).trim() === '')
