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
  /** Edges of the columns, one more than there are columns. */
  xs: number[]
  /** Edges of the rows. */
  ys: number[]
  cells: FoundCell[]
  /** Rows repeated at the top of each page. */
  headerRows: number
  ruled: boolean
}

/** To be changed without writing into the table it was made from. */
export const copyTable = (table: FoundTable): FoundTable => ({
  ...table,
  xs: [...table.xs],
  ys: [...table.ys],
  cells: table.cells.map((c) => ({ ...c, tables: [...c.tables] })),
})
