import type { XmlElement } from '../../../../package/edit-xml.ts'
import type { Attributes } from '../style-sheet.ts'
import type { Cell, Width } from './column-widths.ts'

// State of a table while it is parsed.

export interface Padding {
  left?: number | undefined
  right?: number | undefined
}

export interface OpenCell extends Cell {
  padding: Padding
  width?: XmlElement | undefined
  /** Its line widths depend on tab stops; its word widths do not. */
  hasTabs?: boolean
}

export interface OpenTable {
  style?: string | undefined
  look: Attributes
  width?: XmlElement | undefined
  indent: number
  padding: Padding
  grid?: { start: number; end: number } | undefined
  stored: number[]
  cells: OpenCell[]
  rows: number
  /** The next column of the current row, and the number of columns of the widest row. */
  column: number
  columns: number
  /** Contains something of unknown width, or has a fixed layout. */
  isUnknown: boolean
}

export const openTable = (): OpenTable => ({
  look: {},
  indent: 0,
  padding: {},
  stored: [],
  cells: [],
  rows: 0,
  column: 0,
  columns: 0,
  isUnknown: false,
})

const maxTwips = 31_680
const fiftiethsOfPercent = 5000

/** A width in twips or as a share; undefined for an automatic width. */
export function readWidth(element: XmlElement | undefined): Width | undefined {
  const { 'w:w': value = '', 'w:type': type = 'dxa' } = element?.attributes ?? {}
  const number = Number.parseFloat(value)
  if (!(number > 0)) return undefined
  if (value.endsWith('%')) return { share: number / 100 }
  if (type === 'pct') return { share: number / fiftiethsOfPercent }
  return type === 'dxa' ? { twips: Math.min(number, maxTwips) } : undefined
}

export const readTwips = (attributes: Attributes | undefined, ...names: readonly string[]): number => {
  const value = names.map((name) => attributes?.[name]).find((each) => each !== undefined)
  const number = Number.parseInt(value ?? '', 10)
  return Number.isFinite(number) ? Math.max(-maxTwips, Math.min(number, maxTwips)) : 0
}

/** The conditional formats of the table style that apply to a cell, in Word's order. */
export function partsOf(look: Attributes, isFirstRow: boolean, isFirstColumn: boolean): string[] {
  const bits = Number.parseInt(look['w:val'] ?? '04A0', 16)
  const has = (name: string, bit: number) =>
    look[name] === undefined ? (bits & bit) !== 0 : look[name] === '1' || look[name] === 'true'
  return [
    ...(isFirstRow && has('w:firstRow', 0x20) ? ['firstRow'] : []),
    ...(isFirstColumn && has('w:firstColumn', 0x80) ? ['firstCol'] : []),
  ]
}
