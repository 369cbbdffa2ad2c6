import { naturalHeight } from '../font-metrics.ts'
import { median } from '../geometry.ts'
import { type Block, type Paragraph, paragraphsOf } from './block.ts'
import { copyBlocks } from './copy.ts'

// Distances between blocks, as space before the second one. A line reaches below its baseline by what
// its font needs; everything else of its height lies above.

const standsOnPicture = (b: Paragraph): boolean => b.pictures.some((p) => p.placement === 'inline')

const topOf = (b: Block): number => {
  if (b.kind === 'table' || standsOnPicture(b)) return b.box.y0
  const natural = naturalHeight(b.font, b.size)
  return b.firstBaseline + natural.below - (b.pitch ?? natural.height)
}

const bottomOf = (b: Block): number => {
  if (b.kind === 'table' || (standsOnPicture(b) && b.text === '')) return b.box.y1
  return b.lastBaseline + naturalHeight(b.font, b.size).below
}

/** `above` is where the first block could start at the earliest: the top of the column. */
export function measureGaps<B extends Block>(blocks: readonly B[], above: number | undefined): B[] {
  let bottom = above
  return blocks.map((block) => {
    const gap = bottom === undefined ? 0 : topOf(block) - bottom
    bottom = bottomOf(block)
    return { ...block, before: gap > 0 && gap < farthest ? gap : 0 }
  })
}

/** A gap of most of a page is no space between paragraphs. */
const farthest = 700

/** Single lines take the pitch that is usual for their font and size, out of the space above them. */
export function settlePitch(blocks: readonly Block[]): Block[] {
  const keyOf = (p: Paragraph): string => `${p.font.name}/${Math.round(p.size * 2)}`
  const seen = new Map<string, number[]>()
  for (const p of paragraphsOf(blocks)) {
    if (p.pitch === undefined) continue
    const list = seen.get(keyOf(p))
    if (list) list.push(p.pitch)
    else seen.set(keyOf(p), [p.pitch])
  }
  const usual = new Map([...seen.entries()].map(([key, values]) => [key, median(values)]))
  const out = copyBlocks(blocks)
  for (const p of paragraphsOf(out)) {
    const pitch = usual.get(keyOf(p))
    if (p.pitch !== undefined || pitch === undefined) continue
    const extra = pitch - naturalHeight(p.font, p.size).height
    if (extra <= p.before + nothing) {
      p.pitch = pitch
      p.before = Math.max(0, p.before - extra)
    }
  }
  return out
}

/** A tenth of a point is the rounding of the PDF. */
const nothing = 0.1
