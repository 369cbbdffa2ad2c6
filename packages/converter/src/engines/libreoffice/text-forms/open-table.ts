import { failed } from '../../../failure.ts'
import { type Cell, isBlank, type Row, type Run } from './content.ts'

// A table while it is parsed row by row. A file of a few bytes can repeat a row a million times: empty cells cost
// nothing, and cells with content are counted.

const maxCells = 2_000_000

export interface OpenTable {
  startRow(repeated: number): void
  endRow(): void
  startCell(cell: { repeated: number; columns: number; rows: number; isCovered: boolean }): void
  addLine(line: readonly Run[]): void
  endCell(): void
  rows: Row[]
}

export function openTable(): OpenTable {
  const rows: Row[] = []
  let [row, column, kept] = [0, 0, 0]
  let rowRepeated = 1
  let cells: Cell[] = []
  let cell = { repeated: 1, columns: 1, rows: 1, isCovered: false }
  let text: Run[] = []
  const count = (more: number) => {
    kept += more
    if (kept > maxCells) {
      throw failed.tooComplex(
        `A sheet has more than ${maxCells.toLocaleString('en')} cells that say something. Split it.`,
      )
    }
  }
  return {
    rows,
    startRow(repeated) {
      rowRepeated = repeated
      cells = []
      column = 0
    },
    endRow() {
      if (cells.length > 0) {
        count(cells.length * (rowRepeated - 1))
        for (let index = 0; index < rowRepeated; index += 1) rows.push({ row: row + index, cells })
      }
      row += rowRepeated
    },
    startCell(given) {
      cell = given
      text = []
    },
    addLine(line) {
      if (text.length > 0) text.push('\n')
      text.push(...line)
    },
    endCell() {
      if (!cell.isCovered && !isBlank(text)) {
        count(cell.repeated)
        const { columns, rows: high } = cell
        for (let index = 0; index < cell.repeated; index += 1)
          cells.push({ column: column + index, text, columns, rows: high })
      }
      column += cell.repeated
    },
  }
}
