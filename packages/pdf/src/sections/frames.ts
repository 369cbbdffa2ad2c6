import { elementAt } from '../element-at.ts'
import { lineBottom, lineTop } from '../font-metrics.ts'
import { median, mode, union } from '../geometry.ts'
import type { Band, Item } from '../layout/layout.ts'
import type { TextRun } from '../lines/line.ts'
import { nearlyAll, several, surePattern } from '../tolerances.ts'

// The text area of a page: the edges that most lines of most pages share.

/** In points: one inch, the default margin. */
const usualMargin = 72
/** Minimum printable margin, in points. */
const minMargin = 4
/** One item in eighty may extend beyond the frame: marks and numbers in the margin. */
const standingOut = 0.012
/** Lines with a common end show the edge: at least five, and one in fourteen of all, in the outer part of the width. */
const minShareOfCommon = 0.07
const sameEnd = 1
/** Side bearing of the last letter, in points. */
const bearing = 0.4
/** A frame narrower than this share of the width between equal margins is not significant. */
const narrow = 0.72
/** In points: a frame of a word or two. */
const narrowestFrame = 60
/** Additional edges, of columns and indented text: four lines, and one in fifty of all. */
const minShareAtEdge = 0.02

export interface PageBands {
  page: { width: number; height: number }
  bands: Band[]
  header: readonly TextRun[]
}

export interface PageFrame {
  left: number
  right: number
  top: number
  bottom: number
  /** Positions where lines often end: lines broken there are justified. */
  edges: number[]
}

const atShare = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

function topOfItem(item: Item): number {
  const textRun = item.kind === 'line' ? item.textRuns[0] : undefined
  return textRun ? lineTop(textRun) : item.box.y0
}

/** Text never begins beside or above the running header: a logo there is not the edge of the text. */
function topOfPage({ bands, header }: PageBands): number {
  const tops = bands.flatMap((b) => b.columns.flatMap((c) => c.items.slice(0, 1).map(topOfItem)))
  const top = Math.min(...tops, Infinity)
  return header.some((line) => top < lineTop(line)) ? Math.max(...header.map(lineBottom)) : top
}

/** Groups of at least `minCount` lines that end within a point of each other, from the right. */
function commonEnds(ends: readonly number[], minCount: number): number[][] {
  const sorted = ends.toSorted((a, b) => b - a)
  const out: number[][] = []
  for (let i = 0, j = 0; i < sorted.length; i++) {
    while (j < sorted.length && elementAt(sorted, i) - elementAt(sorted, j) < sameEnd) j++
    if (j - i < minCount) continue
    out.push(sorted.slice(i, j))
    i = j - 1
  }
  return out
}

function sidesOf(pages: readonly PageBands[]): { left: number; right: number; edges: number[] } {
  const { width } = elementAt(pages, 0).page
  const items = pages.flatMap((p) => p.bands.flatMap((b) => b.columns.flatMap((c) => c.items)))
  const inside = items.filter((i) => i.box.x1 > 0 && i.box.x0 < width)
  if (inside.length === 0) return { left: usualMargin, right: width - usualMargin, edges: [] }
  const lefts = inside.map((i) => i.box.x0).sort((a, b) => a - b)
  const rights = inside.map((i) => i.box.x1).sort((a, b) => b - a)
  const left = Math.max(minMargin, atShare(lefts, standingOut))
  const ends = inside.filter((i) => i.kind === 'line').map((i) => i.box.x1)
  const outermost = Math.min(width - minMargin, atShare(rights, standingOut))
  const [[common] = []] = commonEnds(ends, Math.max(several, minShareOfCommon * ends.length))
  let right =
    common !== undefined && common > left + nearlyAll * (outermost - left) ? common + bearing : outermost
  // Short lines do not show the right edge unless sentences continue across them; margins are usually equal.
  const isNarrow = right - left < narrow * (width - 2 * left)
  if (isNarrow && wrappedLines(pages) < several) right = width - left
  const edges = commonEnds(ends, Math.max(surePattern, minShareAtEdge * ends.length)).map(median)
  return { left, right: Math.max(right, left + narrowestFrame), edges }
}

/** Number of lines that end inside a sentence. */
function wrappedLines(pages: readonly PageBands[]): number {
  let count = 0
  for (const { bands } of pages)
    for (const { columns } of bands)
      for (const { items } of columns)
        for (const [i, item] of items.entries()) {
          const next = items[i + 1]
          if (item.kind !== 'line' || next?.kind !== 'line') continue
          if (
            /[\p{L},]$/u.test(item.textRuns.at(-1)?.text ?? '') &&
            /^\p{Ll}/u.test(next.textRuns[0]?.text ?? '')
          )
            count++
        }
  return count
}

/** Pages of one document begin within half a line of each other, in points. */
const usual = 8

/** Frames of pages of one size: equal, except for pages that start or end outside the usual frame. */
function framesOf(pages: readonly PageBands[]): PageFrame[] {
  const { height } = elementAt(pages, 0).page
  const sides = sidesOf(pages)
  const tops = pages.map(topOfPage)
  const bottoms = pages.map((p) => (p.bands.length > 0 ? union(p.bands.map((b) => b.box)).y1 : Number.NaN))
  const known = tops.filter((t) => Number.isFinite(t))
  const typical = known.length > 0 ? mode(known, usual) : usualMargin
  const near = known.filter((t) => Math.abs(t - typical) <= usual)
  const top = Math.max(
    minMargin,
    near.length >= 2 || known.length === 1 ? Math.min(...near) : Math.min(...known, usualMargin),
  )
  const bottom = Math.min(
    height - minMargin,
    Math.max(...bottoms.filter((b) => Number.isFinite(b)), 0) || height - usualMargin,
  )
  const common: PageFrame = { ...sides, top, bottom }
  return pages.map((_, i) => {
    const own = tops[i] as number
    return Number.isFinite(own) && own < top - usual ? { ...common, top: Math.max(minMargin, own) } : common
  })
}

/** The frame of every page; pages of one size are analysed together. */
export function pageFrames(
  pages: readonly Omit<PageBands, 'header'>[],
  headers: readonly (readonly TextRun[])[],
): PageFrame[] {
  const entries = pages.map((p, i): PageBands => ({ ...p, header: headers[i] ?? [] }))
  const sizeOf = ({ page }: PageBands): string => `${Math.round(page.width)}x${Math.round(page.height)}`
  const frames = new Map([...Map.groupBy(entries, sizeOf)].map(([size, own]) => [size, framesOf(own)]))
  return entries.map((entry) => frames.get(sizeOf(entry))?.shift() as PageFrame)
}
