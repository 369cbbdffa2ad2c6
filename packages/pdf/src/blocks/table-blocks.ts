import { naturalHeight } from '../font-metrics.ts'
import { inOrder } from '../layout/layout.ts'
import type { FoundTable } from '../tables/table.ts'
import { type Context, columnBlocks } from './assemble.ts'
import type { Block, Cell, Paragraph, Row, Table } from './block.ts'
import type { Frame } from './paragraphs.ts'
import { measureGaps } from './spacing.ts'

/** A found table as rows of cells, each with blocks of its own. */
export function buildTable(found: FoundTable, frame: Frame, page: number, context: Context): Table {
  const columns = found.xs.slice(1).map((x, i) => x - (found.xs[i] as number))
  const rows: Row[] = found.ys
    .slice(1)
    .map((y, i) => ({ height: y - (found.ys[i] as number), header: i < found.headerRows, cells: [] }))
  for (const cell of [...found.cells].sort((a, b) => a.row - b.row || a.column - b.column)) {
    const text = cell.pieces.map((p) => p.box)
    const upright = cell.pieces.filter((p) => p.turn === 0)
    const turned = cell.pieces.find((p) => p.turn === 1 || p.turn === 3)
    const inner = {
      x0: cell.box.x0 + Math.min(2, 0.05 * (cell.box.x1 - cell.box.x0)),
      x1: cell.box.x1 - Math.min(2, 0.05 * (cell.box.x1 - cell.box.x0)),
    }
    const left = text.length > 0 ? Math.min(...text.map((b) => b.x0)) - cell.box.x0 : 3
    const padding = { left: Math.max(0, Math.min(left, 5.4)), right: 2, top: 0 }
    const padded = { x0: cell.box.x0 + padding.left, x1: Math.max(inner.x1, ...text.map((b) => b.x1)) }
    const items = inOrder([
      ...(turned && upright.length === 0 ? [] : cell.pieces.map((piece) => ({ box: piece.box, piece }))),
      ...cell.pictures.map((picture) => ({ box: picture.box, picture })),
      ...cell.tables.map((table) => ({ box: table.box, table })),
    ])
    let blocks = columnBlocks(
      { frame: padded, column: { box: cell.box, items }, page, first: { page: false, band: true } },
      context,
    )
    if (turned && upright.length === 0)
      blocks = cell.pieces
        .toSorted((a, b) => (turned.turn === 3 ? a.box.x0 - b.box.x0 : b.box.x0 - a.box.x0))
        .flatMap((piece) =>
          columnBlocks(
            {
              frame: { x0: piece.box.x0, x1: piece.box.x0 + 1000 },
              column: { box: piece.box, items: inOrder([{ box: piece.box, piece }]) },
              page,
              first: { page: false, band: true },
            },
            context,
          ),
        )
    blocks = measureGaps(blocks, undefined)
    if (cell.rowSpan === 1) squeeze(blocks, cell.box.y1 - cell.box.y0 - borderRoom)
    const { top, bottom } = {
      top: Math.min(...text.map((b) => b.y0)) - cell.box.y0,
      bottom: cell.box.y1 - Math.max(...text.map((b) => b.y1)),
    }
    const built: Cell = {
      column: cell.column,
      columnSpan: cell.columnSpan,
      rowSpan: cell.rowSpan,
      continued: false,
      blocks,
      fill: cell.fill,
      borders: cell.borders,
      vertical: text.length === 0 ? 'top' : verticalOf(top, bottom),
      turn: turned && upright.length === 0 ? (turned.turn as 1 | 3) : 0,
      padding,
    }
    rows[cell.row]?.cells.push(built)
    for (let r = 1; r < cell.rowSpan; r++)
      rows[cell.row + r]?.cells.push({ ...built, blocks: [], continued: true, rowSpan: 1 })
  }
  for (const row of rows) row.cells.sort((a, b) => a.column - b.column)
  return {
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
}

/** Borders take room too: lines that just fit their row are set a hair closer. */
const borderRoom = 0.75

function squeeze(blocks: readonly Block[], room: number): void {
  const paragraphs = blocks.filter((b): b is Paragraph => b.kind === 'paragraph' && b.pictures.length === 0)
  if (paragraphs.length !== blocks.length || room <= 0) return
  const pitchOf = (p: Paragraph): number => p.pitch ?? naturalHeight(p.font, p.size).height
  const space = paragraphs.reduce((sum, p) => sum + p.before, 0)
  const text = paragraphs.reduce((sum, p) => sum + p.lines * pitchOf(p), 0)
  if (space + text <= room || text > 1.2 * room) return
  const shrink = Math.min(1, Math.max(0.8, (room - space) / text))
  for (const p of paragraphs) p.pitch = pitchOf(p) * shrink
}

function verticalOf(top: number, bottom: number): Cell['vertical'] {
  if (top + bottom < 8) return 'top'
  if (Math.abs(top - bottom) < 0.25 * (top + bottom)) return 'center'
  return top > bottom + 6 && bottom < 6 ? 'bottom' : 'top'
}
