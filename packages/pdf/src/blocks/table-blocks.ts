import { inOrder } from '../layout/layout.ts'
import { looseOf } from '../layout/rows.ts'
import type { FoundTable } from '../tables/table.ts'
import { samePosition } from '../tolerances.ts'
import { type Context, columnBlocks } from './assemble.ts'
import type { Cell, Row, Table } from './block.ts'
import { beginsAtRight, fromTheRight } from './mirror.ts'
import type { Frame } from './paragraphs.ts'
import { type CellRoom, fillRows, squeeze } from './row-heights.ts'
import { measureGaps, topOf } from './spacing.ts'

/** Text may overlap the edge of its cell by half of a border, or by this share of a narrow cell. */
const insetShare = 0.05
/** Padding of a cell without text, and the maximum padding; more is an indent; in points. */
const usualPadding = 3
const maxPadding = 5.4
/** Width available to rotated text, which the page does not limit; in points. */
const roomOfTurned = 1000
/** Cells whose text leaves less space than this above and below have no visible alignment; in points. */
const minRoom = 8
/** Centred: the space above and below is equal within a quarter. */
const offMiddle = 0.25

/** Converts a detected table to rows of cells with blocks. */
export function buildTable(found: FoundTable, frame: Frame, page: number, context: Context): Table {
  const columns = found.xs.slice(1).map((x, i) => x - (found.xs[i] as number))
  const rows: Row[] = found.ys
    .slice(1)
    .map((y, i) => ({ height: y - (found.ys[i] as number), header: i < found.headerRows, cells: [] }))
  const rooms: CellRoom[] = []
  for (const cell of [...found.cells].sort((a, b) => a.row - b.row || a.column - b.column)) {
    const text = cell.textRuns.map((p) => p.box)
    const isUpright = cell.textRuns.some((p) => p.turn === 0)
    const turned = isUpright ? undefined : cell.textRuns.find((p) => p.turn === 1 || p.turn === 3)
    const innerRight = cell.box.x1 - Math.min(samePosition, insetShare * (cell.box.x1 - cell.box.x0))
    const left = text.length > 0 ? Math.min(...text.map((b) => b.x0)) - cell.box.x0 : usualPadding
    const padded = {
      x0: cell.box.x0 + Math.max(0, Math.min(left, maxPadding)),
      x1: Math.max(innerRight, ...text.map((b) => b.x1)),
    }
    const padding = { left: padded.x0 - cell.box.x0, right: Math.max(0, cell.box.x1 - padded.x1) }
    const blocks = measureGaps(
      turned
        ? cell.textRuns
            .toSorted((a, b) => (turned.turn === 3 ? a.box.x0 - b.box.x0 : b.box.x0 - a.box.x0))
            .flatMap((textRun) => {
              const { x0 } = textRun.box
              const items = inOrder(looseOf({ textRuns: [textRun] }))
              return columnBlocks({ frame: { x0, x1: x0 + roomOfTurned }, items, page }, context)
            })
        : columnBlocks({ frame: padded, items: inOrder(looseOf(cell)), page }, context),
      undefined,
    )
    const border = cell.borders.top?.width ?? cell.borders.bottom?.width ?? 0
    const room = cell.box.y1 - cell.box.y0 - border
    if (cell.rowSpan === 1) squeeze(blocks, room)
    const top = Math.min(...text.map((b) => b.y0)) - cell.box.y0
    const bottom = cell.box.y1 - Math.max(...text.map((b) => b.y1))
    const built: Cell = {
      column: cell.column,
      columnSpan: cell.columnSpan,
      rowSpan: cell.rowSpan,
      continued: false,
      blocks,
      fill: cell.fill,
      borders: cell.borders,
      vertical: text.length === 0 ? 'top' : verticalOf(top, bottom),
      turn: turned ? (turned.turn as 1 | 3) : 0,
      padding,
    }
    rows[cell.row]?.cells.push(built)
    const [first] = blocks
    if (cell.rowSpan === 1 && built.turn === 0 && first)
      rooms.push({ cell: built, height: room, above: topOf(first) - cell.box.y0 - border / 2 })
    for (let r = 1; r < cell.rowSpan; r++)
      rows[cell.row + r]?.cells.push({ ...built, blocks: [], continued: true, rowSpan: 1 })
  }
  for (const row of rows) row.cells.sort((a, b) => a.column - b.column)
  fillRows(rows, rooms)
  const table: Table = {
    kind: 'table',
    left: (found.xs[0] as number) - frame.x0,
    columns,
    rows,
    before: 0,
    box: found.box,
    page,
    startsPage: false,
    startsColumn: false,
    ruled: found.ruled,
  }
  return beginsAtRight(found, frame) ? fromTheRight(table, frame.x1 - (found.xs.at(-1) as number)) : table
}

function verticalOf(top: number, bottom: number): Cell['vertical'] {
  if (top + bottom < minRoom) return 'top'
  if (Math.abs(top - bottom) < offMiddle * (top + bottom)) return 'center'
  return top > bottom + minRoom && bottom < minRoom ? 'bottom' : 'top'
}
