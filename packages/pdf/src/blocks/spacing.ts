import { naturalHeight } from '../font-metrics.ts'
import { median } from '../geometry.ts'
import { isCjk } from '../lines/scripts.ts'
import { isAligned } from '../math/tree.ts'
import { rounding } from '../tolerances.ts'
import { usualSize } from '../typography.ts'
import { type Block, type Paragraph, paragraphsOf } from './block.ts'

// Distances between blocks, as space before the second. A line extends below its baseline by the descent of its font.
// If the line pitch is larger than the font's line height, the difference is below each line, as in word processors; if
// it is smaller, the difference is cut off above.

const standsOnPicture = (b: Paragraph): boolean => b.pictures.some((p) => p.placement === 'inline')

/** A formula of several lines is taller than its line of text. */
const isTall = (b: Paragraph): boolean => b.runs.some((r) => r.style.math && isAligned(r.style.math.tree))

export const topOf = (b: Block): number => {
  if (b.kind === 'table' || standsOnPicture(b) || isTall(b)) return b.box.y0
  const line = b.firstBaseline - frameOf(b, 'top')
  const exact = exactPitch(b)
  if (exact) return line + exact.below - exact.pitch
  const natural = naturalHeight(b.font, b.size)
  return line + natural.below - Math.min(natural.height, b.pitch ?? natural.height)
}

/** The height that a border takes above or below a paragraph. */
const frameOf = (p: Paragraph, side: 'top' | 'bottom'): number => {
  const border = p.borders?.[side]
  return border ? border.width + (p.borderSpace?.[side] ?? 0) : 0
}

const bottomOf = (b: Block): number => {
  if (b.kind === 'table' || (standsOnPicture(b) && b.text === '') || isTall(b)) return b.box.y1
  const line = b.lastBaseline + frameOf(b, 'bottom')
  const exact = exactPitch(b)
  if (exact) return line + exact.below
  return line + naturalHeight(b.font, b.size).below + Math.max(0, leadOf(b))
}

/** The difference between the line pitch and the font's line height. */
const leadOf = (p: Paragraph, pitch = p.pitch): number =>
  pitch === undefined ? 0 : pitch - naturalHeight(p.font, p.size).height

/** `above` is the top of the column, where the first block can start. */
export function measureGaps<B extends Block>(blocks: B[], above: number | undefined): B[] {
  let bottom = above
  for (const block of blocks) {
    const top = topOf(block)
    const gap = bottom === undefined ? 0 : top - bottom
    // A block that does not fit is pushed down, and the next one has that much less space.
    const pushed = gap < 0 && gap > -maxPushed * sizeOf(block) ? -gap : 0
    bottom = bottomOf(block) + pushed
    block.before = Math.max(0, gap)
  }
  return blocks
}

const sizeOf = (b: Block): number => (b.kind === 'table' ? usualSize : b.size)

/** In ems. Blocks that overlap by more are side by side. */
const maxPushed = 0.6

/** Single lines get the usual pitch of their font and size, if the space around them permits. */
export function settlePitch(blocks: Block[]): Block[] {
  const pitched = [...paragraphsOf(blocks)].flatMap((p) =>
    p.pitch === undefined ? [] : [{ p, pitch: p.pitch }],
  )
  const seen = Map.groupBy(pitched, ({ p }) => keyOf(p))
  const usual = new Map([...seen].map(([key, own]) => [key, median(own.map(({ pitch }) => pitch))]))
  settle(blocks, usual)
  return blocks
}

const keyOf = (p: Paragraph): string => `${p.font.name}/${Math.round(p.size * 2)}`

function settle(blocks: readonly Block[], usual: ReadonlyMap<string, number>): void {
  for (const [i, block] of blocks.entries()) {
    if (block.kind === 'table') {
      for (const row of block.rows) for (const cell of row.cells) settle(cell.blocks, usual)
      continue
    }
    const pitch = usual.get(keyOf(block))
    if (block.pitch !== undefined || pitch === undefined || exactPitch(block)) continue
    const lead = leadOf(block, pitch)
    const next = blocks[i + 1]
    const under = next?.page === block.page && !next.startsColumn ? next : undefined
    const room = under ? under.before : block.after
    if (lead > room + rounding) continue
    block.pitch = pitch
    if (lead < 0) block.before -= lead
    else if (under) under.before = Math.max(0, under.before - lead)
    else block.after = Math.max(0, block.after - lead)
  }
}

// Line heights of Chinese, Japanese and Korean fonts differ by up to a half, and every program substitutes missing
// fonts differently; the same holds for check boxes, arrows and other symbols. Paragraphs with such characters get an
// exact line pitch.

/** Arrows, boxes, dingbats and private-use characters. */
const signs = /[\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u2bff\ue000-\uf8ff]/
/** Line pitch in ems for paragraphs of one line. */
const usual = 1.3
/** Word processors put this share of an exact line pitch below the baseline. */
const shareBelow = 0.2

export function exactPitch(p: Paragraph): { pitch: number; below: number } | undefined {
  // The bullet is removed from the text when the paragraph becomes a list item, so it does not count here either.
  const text = p.label && p.text.startsWith(p.label) ? p.text.slice(p.label.length) : p.text
  if (!(isCjk(text) || signs.test(text)) || p.pictures.some((x) => x.placement === 'inline')) return undefined
  const pitch = p.pitch ?? usual * p.size
  return { pitch, below: shareBelow * pitch }
}
