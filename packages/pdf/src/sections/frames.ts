import { lineTop } from '../font-metrics.ts'
import { mode, union } from '../geometry.ts'
import type { Band, Item } from '../layout/layout.ts'

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
  /** Where lines end often: what is broken there is justified. */
  edges: number[]
}

const atShare = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

function topOfItem(item: Item): number {
  const piece = item.kind === 'line' ? item.pieces[0] : undefined
  return piece ? lineTop(piece) : item.box.y0
}

/** Where many lines end: the right edge of justified text. */
function commonRight(rights: readonly number[], least: number): number | undefined {
  const sorted = [...rights].sort((a, b) => b - a)
  for (let i = 0, j = 0; i < sorted.length; i++) {
    while (j < sorted.length && (sorted[i] as number) - (sorted[j] as number) < 1) j++
    if (j - i >= least) return sorted[i]
  }
  return undefined
}

function sidesOf(pages: readonly PageBands[]): { left: number; right: number; edges: number[] } {
  const { width } = pages[0] as PageBands
  const items = pages.flatMap((p) => p.bands.flatMap((b) => b.columns.flatMap((c) => c.items)))
  const inside = items.filter((i) => i.box.x1 > 0 && i.box.x0 < width)
  if (inside.length === 0) return { left: 72, right: width - 72, edges: [] }
  const lefts = inside.map((i) => i.box.x0).sort((a, b) => a - b)
  const rights = inside.map((i) => i.box.x1).sort((a, b) => b - a)
  const left = Math.max(4, atShare(lefts, 0.012))
  const ends = inside.filter((i) => i.kind === 'line').map((i) => i.box.x1)
  const outermost = Math.min(width - 4, atShare(rights, 0.012))
  const common = commonRight(ends, Math.max(5, 0.07 * ends.length))
  let right = common !== undefined && common > left + 0.85 * (outermost - left) ? common + 0.4 : outermost
  // Short lines say nothing about the right edge; margins are usually alike.
  const narrow = right - left < 0.72 * (width - 2 * left)
  if (narrow && left < 0.25 * width) right = width - left
  return { left, right: Math.max(right, left + 60), edges: commonEdges(ends) }
}

function commonEdges(ends: readonly number[]): number[] {
  const sorted = [...ends].sort((a, b) => a - b)
  const least = Math.max(4, 0.02 * ends.length)
  const out: number[] = []
  for (let i = 0; i < sorted.length; ) {
    let j = i
    while (j < sorted.length && (sorted[j] as number) - (sorted[i] as number) < 0.8) j++
    if (j - i >= least) {
      out.push(sorted[(i + j) >> 1] as number)
      i = j
    } else i++
  }
  return out
}

const usual = 8

/** Frames of pages of one size: alike, except for pages that start or end outside the usual frame. */
function framesOf(pages: readonly PageBands[]): PageFrame[] {
  const { height } = pages[0] as PageBands
  const sides = sidesOf(pages)
  const tops = pages.map((p) =>
    Math.min(
      ...p.bands.flatMap((b) => b.columns.flatMap((c) => c.items.slice(0, 1).map(topOfItem))),
      Infinity,
    ),
  )
  const bottoms = pages.map((p) => (p.bands.length > 0 ? union(p.bands.map((b) => b.box)).y1 : Number.NaN))
  const known = tops.filter((t) => Number.isFinite(t))
  const typical = known.length > 0 ? mode(known, usual) : 72
  const near = known.filter((t) => Math.abs(t - typical) <= usual)
  const top = Math.max(4, near.length >= 2 || known.length === 1 ? Math.min(...near) : Math.min(...known, 72))
  const bottom = Math.min(
    height - 4,
    Math.max(...bottoms.filter((b) => Number.isFinite(b)), 0) || height - 72,
  )
  const common: PageFrame = { ...sides, top, bottom }
  return pages.map((_, i) => {
    const own = tops[i] as number
    return Number.isFinite(own) && own < top - usual ? { ...common, top: Math.max(4, own) } : common
  })
}

/** The frame of every page; pages of one size are looked at together. */
export function pageFrames(
  pages: readonly { page: { width: number; height: number }; bands: Band[] }[],
): PageFrame[] {
  const groups = new Map<string, { width: number; height: number; bands: Band[] }[]>()
  const keyOf = (p: { width: number; height: number }): string =>
    `${Math.round(p.width)}x${Math.round(p.height)}`
  for (const { page, bands } of pages) {
    const entry = { width: page.width, height: page.height, bands }
    const list = groups.get(keyOf(page))
    if (list) list.push(entry)
    else groups.set(keyOf(page), [entry])
  }
  const frames = new Map([...groups.entries()].map(([key, list]) => [key, framesOf(list)]))
  return pages.map(({ page }) => frames.get(keyOf(page))?.shift() as PageFrame)
}
