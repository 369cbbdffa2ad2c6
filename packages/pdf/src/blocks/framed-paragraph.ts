import { lineBottom, lineTop } from '../font-metrics.ts'
import type { FoundCell, FoundTable } from '../tables/table.ts'
import type { Block, Paragraph } from './block.ts'
import type { Frame } from './paragraphs.ts'

// A frame or a colour bar around one paragraph becomes borders and fill of the paragraph, not a table of one cell: many
// headings are set like this.

/** Maximum distance between borders and text in Word, in points. */
export const farthestBorder = 31
/** The thinnest border that every program paints, in points. */
const thinBorder = 0.5

/** The cell of a table with a single cell that contains only lines of upright text. */
export function onlyCell(table: FoundTable): FoundCell | undefined {
  const [cell, ...others] = table.cells
  if (!cell || others.length > 0 || table.xs.length !== 2 || table.ys.length !== 2) return undefined
  if (cell.textRuns.length === 0 || cell.pictures.length > 0 || cell.tables.length > 0) return undefined
  return cell.textRuns.every((p) => p.turn === 0) ? cell : undefined
}

/**
 * The content of the cell as a paragraph of the column, if it is a single paragraph. `inner` is the frame that it was
 * built in.
 */
export function withFrame(
  blocks: readonly Block[],
  cell: FoundCell,
  inner: Frame,
  frame: Frame,
): Paragraph | undefined {
  const [p, ...others] = blocks
  if (p?.kind !== 'paragraph' || others.length > 0) return undefined
  const top = lineTop({ ...p, baseline: p.firstBaseline }) - cell.box.y0
  const bottom = cell.box.y1 - lineBottom({ ...p, baseline: p.lastBaseline })
  if (Math.max(top, bottom) > farthestBorder) return undefined
  const shift = inner.x0 - frame.x0
  // A filled bar without borders gets borders in its colour, which give it its height.
  const painted = cell.fill ? { width: thinBorder, color: cell.fill } : undefined
  const borders = { ...(painted ? { top: painted, bottom: painted } : {}), ...cell.borders }
  return {
    ...p,
    left: p.left + shift,
    right: p.right + frame.x1 - inner.x1,
    textAt: p.textAt + shift,
    tabs: p.tabs.map((t) => ({ ...t, at: t.at + shift })),
    fill: cell.fill,
    borders,
    borderSpace: { top: Math.max(0, top), bottom: Math.max(0, bottom) },
  }
}
