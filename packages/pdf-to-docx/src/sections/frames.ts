import type { Band, Item } from '../layout/layout.ts'
import { naturalHeight } from '../font-metrics.ts'
import { union } from '../geometry.ts'

// The frame that text stands in: the edges that most lines of most pages keep to.

export interface PageBands {
  width: number
  height: number
  bands: Band[]
}

export interface PageFrame {
  left: number
  right: number
  top: number
  bottom: number
}

const atShare = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

function topOfItem(item: Item): number {
  const piece = item.kind === 'line' ? item.pieces[0] : undefined
  if (!piece) return item.box.y0
  const natural = naturalHeight(piece.font, piece.size)
  return piece.baseline + natural.below - natural.height
}

/** One frame for pages of one size. */
export function frameOf(pages: readonly PageBands[]): PageFrame {
  const { width, height } = pages[0] as PageBands
  const items = pages.flatMap((p) => p.bands.flatMap((b) => b.columns.flatMap((c) => c.items)))
  const inside = items.filter((i) => i.box.x1 > 0 && i.box.x0 < width)
  if (inside.length === 0) return { left: 72, right: width - 72, top: 72, bottom: height - 72 }
  const lefts = inside.map((i) => i.box.x0).sort((a, b) => a - b)
  const rights = inside.map((i) => i.box.x1).sort((a, b) => b - a)
  const left = Math.max(4, atShare(lefts, 0.012))
  let right = Math.min(width - 4, atShare(rights, 0.012))
  // Short lines say nothing about the right edge; margins are usually alike.
  const narrow = right - left < 0.72 * (width - 2 * left)
  if (narrow && left < 0.25 * width) right = width - left
  const bodies = pages.filter((p) => p.bands.length > 0).map((p) => union(p.bands.map((b) => b.box)))
  const tops = pages.flatMap((p) => p.bands.flatMap((b) => b.columns.flatMap((c) => c.items.slice(0, 1).map(topOfItem)))).sort((a, b) => a - b)
  const bottoms = bodies.map((b) => b.y1).sort((a, b) => b - a)
  return {
    left,
    right: Math.max(right, left + 60),
    top: Math.max(4, tops[0] ?? 72),
    bottom: Math.min(height - 4, bottoms[0] ?? height - 72),
  }
}
