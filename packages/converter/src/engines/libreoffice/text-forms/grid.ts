import { failed } from '../../../failure.ts'
import type { Cell, Row } from './content.ts'

// A table without its empty rows and columns.

const maxPlaces = 5_000_000

export interface Grid {
  columns: number
  rows: { cells: Map<number, Cell> }[]
  /** Number of remaining columns and rows that a cell spans. */
  spans(cell: Cell, row: number): { columns: number; rows: number }
}

export function gridOf(rows: readonly Row[]): Grid {
  const columns = [...new Set(rows.flatMap(({ cells }) => cells.map(({ column }) => column)))].sort(
    (a, b) => a - b,
  )
  refuseTooLarge(rows.length, columns.length)
  const columnAt = new Map(columns.map((column, index) => [column, index]))
  return {
    columns: columns.length,
    rows: rows.map(({ cells }) => ({
      cells: new Map(cells.map((cell) => [columnAt.get(cell.column) ?? 0, cell])),
    })),
    spans: (cell, row) => ({
      columns:
        cell.columns === 1
          ? 1
          : within(columns, columnAt.get(cell.column) ?? 0, cell.columns, (each) => each),
      rows: cell.rows === 1 ? 1 : within(rows, row, cell.rows, (each) => each.row),
    }),
  }
}

/** Number of entries, from `start`, whose position is less than `length` after the first. */
function within<T>(list: readonly T[], start: number, length: number, placeOf: (each: T) => number): number {
  const end = placeOf(list[start] as T) + length
  let count = 1
  while (start + count < list.length && placeOf(list[start + count] as T) < end) count += 1
  return count
}

/** A table of a few distant cells would be mostly empty. */
export function refuseTooLarge(rows: number, columns: number): void {
  if (rows * columns <= maxPlaces) return
  throw failed.tooComplex(
    `A sheet of ${rows.toLocaleString('en')} rows and ${columns.toLocaleString('en')} columns is too large to be written as text. Split it, or remove what lies far outside.`,
  )
}
