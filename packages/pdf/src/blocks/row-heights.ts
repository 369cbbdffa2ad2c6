import { naturalHeight } from '../font-metrics.ts'
import type { Block, Cell, Paragraph, Row } from './block.ts'
import { exactPitch } from './spacing.ts'

// Preserves row heights. Programs disagree on whether the height of a row includes its border, so the content of the
// fullest cell sets the height, by space above the first line and below the last.

/** Text that is taller than its row by a fifth was not set as Word would set it; closer lines would not help. */
const maxTooTall = 1.2
/** Lines closer than this share of their pitch would touch. */
const closest = 0.8

/** The position of the text in an unrotated cell that spans one row. */
export interface CellRoom {
  cell: Cell
  /** Inner height between the borders. */
  height: number
  /** Distance from the upper border to the first line. */
  above: number
}

const heightOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, b) => {
    if (b.kind === 'table') return sum + b.before + b.rows.reduce((rows, r) => rows + r.height, 0)
    const natural = exactPitch(b)?.pitch ?? naturalHeight(b.font, b.size).height
    const drawn = Math.max(
      0,
      ...b.pictures.map((p) => (p.placement === 'inline' ? boxHeight(p.picture.box) : 0)),
    )
    return sum + b.before + Math.max(drawn, b.text === '' && drawn > 0 ? 0 : b.lines * (b.pitch ?? natural))
  }, 0)

const boxHeight = (b: { y0: number; y1: number }): number => b.y1 - b.y0

/** Adds the space above to the cells, and the remaining space below to the fullest cell. */
export function fillRows(rows: readonly Row[], rooms: readonly CellRoom[]): void {
  const roomOf = new Map(rooms.map((room) => [room.cell, room]))
  for (const row of rows) {
    const filled = row.cells.flatMap((cell) => {
      const room = cell.blocks.length > 0 ? roomOf.get(cell) : undefined
      return room ? [{ ...room, text: heightOf(cell.blocks) }] : []
    })
    const fullest = filled.toSorted((a, b) => b.text - a.text)[0]
    for (const room of filled) {
      const isFullest = room === fullest
      const { cell } = room
      if (!isFullest && cell.vertical !== 'top') continue
      const spare = Math.max(0, room.height - room.text)
      const above = Math.min(Math.max(0, room.above), spare)
      const first = cell.blocks[0]
      const last = cell.blocks.at(-1)
      if (first) first.before = above
      if (last?.kind === 'paragraph') last.after = isFullest ? spare - above : 0
      cell.vertical = 'top'
    }
  }
}

/** Sets lines that only just fit slightly closer, so that they do not make the row taller. */
export function squeeze(blocks: readonly Block[], room: number): void {
  const paragraphs = blocks.filter((b): b is Paragraph => b.kind === 'paragraph' && b.pictures.length === 0)
  if (paragraphs.length !== blocks.length || room <= 0) return
  const pitchOf = (p: Paragraph): number =>
    exactPitch(p)?.pitch ?? p.pitch ?? naturalHeight(p.font, p.size).height
  const space = paragraphs.reduce((sum, p) => sum + p.before, 0)
  const text = paragraphs.reduce((sum, p) => sum + p.lines * pitchOf(p), 0)
  if (space + text <= room || text > maxTooTall * room) return
  const shrink = Math.min(1, Math.max(closest, (room - space) / text))
  for (const p of paragraphs) p.pitch = pitchOf(p) * shrink
}
