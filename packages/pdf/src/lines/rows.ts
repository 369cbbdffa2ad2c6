import { firstFrom } from '../geometry.ts'
import type { Tag } from '../read/page.ts'
import type { PlacedGlyph } from './line.ts'
import { isCjk } from './scripts.ts'

// Glyphs to rows (one baseline) to pieces (no wide gap), left to right as painted.

export interface RawPiece {
  glyphs: PlacedGlyph[]
  x0: number
  x1: number
  y: number
  size: number
}

export const isSpace = (g: PlacedGlyph): boolean =>
  g.text === ' ' || (g.text.trim() === '' && g.text !== '\u3000')

function typicalSize(glyphs: readonly PlacedGlyph[]): number {
  const first = glyphs[0]?.size ?? 10
  if (glyphs.every((g) => g.size === first)) return first
  const sizes = glyphs.map((g) => g.size).sort((a, b) => a - b)
  return sizes[sizes.length >> 1] ?? 10
}

export function findRows(glyphs: readonly PlacedGlyph[]): PlacedGlyph[][] {
  const sorted = [...glyphs].sort((a, b) => a.y - b.y)
  const rows: PlacedGlyph[][] = []
  let row: PlacedGlyph[] = []
  let y = 0
  for (const g of sorted) {
    if (row.length > 0 && g.y - y > Math.max(0.5, 0.08 * g.size)) {
      rows.push(row)
      row = []
    }
    if (row.length === 0) y = g.y
    else y = y * 0.9 + g.y * 0.1
    row.push(g)
  }
  if (row.length > 0) rows.push(row)
  return rows
}

/** Gap from which on two neighbours are not of one stretch of words. */
function wideGap(gaps: readonly number[], size: number, text: string): number {
  // A line forced to full width has few words and one wide gap everywhere.
  const all = gaps.filter((g) => g > 0.12 * size).sort((a, b) => a - b)
  const middle = all[all.length >> 1] ?? 0
  const even = all.length >= 3 && (all[0] as number) > 0.65 * middle && (all.at(-1) as number) < 1.35 * middle
  if (even && middle < 5 * size && /^[\p{L}\p{P}]+$/u.test(text)) return Math.max(1.15 * size, 1.5 * middle)
  // In justified lines all gaps are wide; what counts is a gap wider than the others.
  const words = gaps.filter((g) => g > 0.12 * size && g < 3 * size).sort((a, b) => a - b)
  const usual = words.length >= 4 ? (words[words.length >> 1] as number) : 0.28 * size
  return Math.max(1.15 * size, Math.min(2.6 * usual, 2.2 * size))
}

/** `cellOf` names the cell of a table that the structure tree puts a glyph into: two cells are two pieces. */
export function splitRow(
  row: readonly PlacedGlyph[],
  cellOf: (g: PlacedGlyph) => Tag | undefined = () => undefined,
): RawPiece[] {
  const sorted = [...row].sort((a, b) => a.x - b.x)
  const inked = sorted.filter((g) => !isSpace(g))
  if (inked.length === 0) return []
  const gaps: number[] = []
  let edge = (inked[0] as PlacedGlyph).box.x1
  for (const g of inked.slice(1)) {
    gaps.push(g.box.x0 - edge)
    edge = Math.max(edge, g.box.x1)
  }
  const threshold = wideGap(gaps, typicalSize(inked), inked.map((g) => g.text).join(''))
  const pieces: RawPiece[] = []
  let current: PlacedGlyph[] = []
  let lastInk = -Infinity
  let lastCell: Tag | undefined
  for (const g of sorted) {
    if (isSpace(g)) {
      current.push(g)
      continue
    }
    const cell = cellOf(g)
    const isApart = g.box.x0 - lastInk > threshold || (cell !== lastCell && cell && lastCell)
    if (current.length > 0 && Number.isFinite(lastInk) && isApart) {
      pieces.push(piece(current))
      current = []
    }
    current.push(g)
    lastInk = current.length === 1 ? g.box.x1 : Math.max(lastInk, g.box.x1)
    lastCell = cell
  }
  if (current.some((g) => !isSpace(g))) pieces.push(piece(current))
  return pieces
}

function piece(glyphs: PlacedGlyph[]): RawPiece {
  let from = 0
  let to = glyphs.length
  while (from < to && isSpace(glyphs[from] as PlacedGlyph)) from++
  while (to > from && isSpace(glyphs[to - 1] as PlacedGlyph)) to--
  const kept = glyphs.slice(from, to)
  const inked = kept.filter((g) => !isSpace(g))
  let x0 = Infinity
  let x1 = -Infinity
  for (const { box } of inked) {
    x0 = Math.min(x0, box.x0)
    x1 = Math.max(x1, box.x1)
  }
  return { glyphs: kept, x0, x1, y: (inked[0] as PlacedGlyph).y, size: typicalSize(inked) }
}

/** A script is smaller than its text by this much, at least. */
const scriptSize = 0.85
/** Its baseline lies this far above or below that of its text, in ems of the text. */
const mostRaised = 0.62
const mostLowered = 0.35
const leastShift = 0.03

/** Small pieces a little above or below a bigger one, right beside it, are its super- and subscripts. */
export function attachScripts(pieces: RawPiece[]): RawPiece[] {
  const big = [...pieces].sort((a, b) => a.y - b.y)
  const heights = big.map((p) => p.y)
  const largest = pieces.reduce((most, p) => Math.max(most, p.size), 0)
  const taken = new Set<RawPiece>()
  for (const small of pieces) {
    if (small.glyphs.length > 24 || largest * scriptSize < small.size) continue
    let best: RawPiece | undefined
    let bestGap = Infinity
    const lowest = small.y + mostRaised * largest
    for (let i = firstFrom(heights, small.y - mostLowered * largest); i < big.length; i++) {
      const host = big[i] as RawPiece
      if (host.y > lowest) break
      if (host === small || taken.has(host) || host.size * scriptSize < small.size) continue
      const shift = (host.y - small.y) / host.size
      if (shift < -mostLowered || shift > mostRaised || Math.abs(shift) < leastShift) continue
      const gap = Math.max(small.x0 - host.x1, host.x0 - small.x1)
      if (gap > 0.3 * host.size || gap >= bestGap) continue
      if (gap < 0 && collides(host, small)) continue
      best = host
      bestGap = gap
    }
    if (!best) continue
    const script = small.y < best.y ? 'super' : 'sub'
    for (const g of small.glyphs) g.script = script
    best.glyphs = [...best.glyphs, ...small.glyphs].sort((a, b) => a.x - b.x)
    best.x0 = Math.min(best.x0, small.x0)
    best.x1 = Math.max(best.x1, small.x1)
    taken.add(small)
  }
  return pieces.filter((p) => !taken.has(p))
}

function collides(host: RawPiece, small: RawPiece): boolean {
  return host.glyphs.some(
    (g) => !isSpace(g) && Math.min(g.box.x1, small.x1) - Math.max(g.box.x0, small.x0) > 0.25 * small.size,
  )
}

/** Whether a space stands between two neighbours, judging by the gap and by spaces that were painted. */
export function spaceBetween(a: PlacedGlyph, b: PlacedGlyph, painted: boolean, usualGap: number): boolean {
  const gap = b.box.x0 - a.box.x1
  if (isCjk(a.text) && isCjk(b.text)) return painted && gap > 0.2 * Math.min(a.size, b.size)
  if (painted) return true
  const size = Math.min(a.size, b.size)
  if (a.script !== b.script) return gap > 0.22 * Math.max(a.size, b.size)
  if (isCjk(a.text) || isCjk(b.text)) return gap > 0.6 * size
  return gap > usualGap + 0.14 * size
}
