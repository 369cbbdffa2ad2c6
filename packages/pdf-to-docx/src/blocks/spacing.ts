import { naturalHeight } from '../font-metrics.ts'
import type { Block, Paragraph } from './block.ts'

// Distances between blocks, as space before the second one.

/** Height of a line and how much of it lies below the baseline. */
export function lineShape(p: Paragraph, usual: number): { height: number; below: number } {
  const natural = naturalHeight(p.font, p.size)
  return { height: p.pitch ?? usual, below: natural.below }
}

export const topOf = (b: Block, usual?: (p: Paragraph) => number): number => {
  if (b.kind === 'table' || b.pictures.some((p) => p.placement === 'inline')) return b.box.y0
  const shape = lineShape(b, usual?.(b) ?? naturalHeight(b.font, b.size).height)
  return b.firstBaseline + shape.below - shape.height
}

export const bottomOf = (b: Block): number => {
  if (b.kind === 'table' || (b.pictures.some((p) => p.placement === 'inline') && b.text === '')) return b.box.y1
  return b.lastBaseline + naturalHeight(b.font, b.size).below
}

/** `above` is where the first block could start at the earliest: the top of the column. */
export function measureGaps(blocks: readonly Block[], above: number | undefined, usual?: (p: Paragraph) => number): void {
  let bottom = above
  for (const block of blocks) {
    const top = topOf(block, usual)
    if (bottom !== undefined) {
      const gap = top - bottom
      block.before = gap > 0 && gap < 600 ? gap : 0
    }
    bottom = bottomOf(block)
  }
}
