import type { Box } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import type { Picture } from '../read/page.ts'

export interface Border {
  width: number
  color: string
}

export interface FoundCell {
  row: number
  column: number
  rowSpan: number
  columnSpan: number
  box: Box
  textRuns: TextRun[]
  pictures: Picture[]
  tables: FoundTable[]
  fill: string | undefined
  borders: { top?: Border; bottom?: Border; left?: Border; right?: Border }
}

export interface FoundTable {
  box: Box
  /** Column edges, one more than there are columns. */
  xs: number[]
  /** Row edges. */
  ys: number[]
  cells: FoundCell[]
  /** Rows repeated at the top of each page. */
  headerRows: number
  ruled: boolean
}

/** A copy that can be modified without changing the original. */
export const copyTable = (table: FoundTable): FoundTable => ({
  ...table,
  xs: [...table.xs],
  ys: [...table.ys],
  cells: table.cells.map((c) => ({ ...c, tables: [...c.tables] })),
})
