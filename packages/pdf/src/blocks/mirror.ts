import type { FoundTable } from '../tables/table.ts'
import type { Cell, Table } from './block.ts'

// A table of Arabic or Hebrew begins at the right: its first column is the rightmost.

/** More of its texts run from the right than from the left; numbers have no direction. */
export function beginsAtRight({ cells }: FoundTable): boolean {
  const pieces = cells.flatMap((c) => c.pieces)
  const fromRight = pieces.filter((p) => p.rtl).length
  return fromRight > pieces.filter((p) => !p.rtl && /\p{L}/u.test(p.text)).length
}

/** `right` is how far the table stands from the right edge of its column. */
export function fromTheRight(table: Table, right: number): Table {
  const mirrored = (cell: Cell): Cell => {
    const { left: first, right: last, ...borders } = cell.borders
    return {
      ...cell,
      column: table.columns.length - cell.column - cell.columnSpan,
      borders: { ...borders, ...(last ? { left: last } : {}), ...(first ? { right: first } : {}) },
      padding: { left: cell.padding.right, right: cell.padding.left },
    }
  }
  return {
    ...table,
    left: right,
    columns: table.columns.toReversed(),
    rows: table.rows.map((row) => ({ ...row, cells: row.cells.map(mirrored).reverse() })),
    rtl: true,
  }
}
