import { elementAt } from '../element-at.ts'
import type { Glyph } from './page.ts'

// Shadows and simulated bold paint the same text twice with a small offset. The copy on top is kept.

/** Grid for looking up glyphs: cell size in points, and cells per row. */
const cell = 4
const cellsInRow = 65_536
/** Maximum offset of shadows and second strokes: an eighth of an em and less than two points. */
const farthest = 1.6
const farthestInEms = 0.12
/** Tolerance for equal sizes, as a share of the size. */
const sameSize = 0.1

export function withoutDoubles(glyphs: readonly Glyph[]): Glyph[] {
  // A single drawing operation does not paint over itself.
  if (!glyphs.some((g) => g.order !== glyphs[0]?.order)) return [...glyphs]
  /** Indexes into `out`, by cell. */
  const seen = new Map<number, number | number[]>()
  const out: Glyph[] = []
  for (const g of glyphs) {
    const double = g.text.trim() ? findDouble(out, seen, g) : undefined
    if (double !== undefined) {
      // The glyph that is painted last is visible; its shadow is below.
      out[double] = { ...out[double], ...g }
      continue
    }
    const at = out.push(g) - 1
    const key = Math.floor(g.x / cell) * cellsInRow + Math.floor(g.y / cell)
    const there = seen.get(key)
    if (there === undefined) seen.set(key, at)
    else if (Array.isArray(there)) there.push(at)
    else seen.set(key, [there, at])
  }
  return out
}

function findDouble(
  glyphs: readonly Glyph[],
  seen: ReadonlyMap<number, number | number[]>,
  g: Glyph,
): number | undefined {
  const reach = Math.min(farthest, farthestInEms * g.size)
  const lastX = Math.floor((g.x + reach) / cell)
  const lastY = Math.floor((g.y + reach) / cell)
  for (let cx = Math.floor((g.x - reach) / cell); cx <= lastX; cx++)
    for (let cy = Math.floor((g.y - reach) / cell); cy <= lastY; cy++) {
      const near = seen.get(cx * cellsInRow + cy)
      if (near === undefined) continue
      if (!Array.isArray(near)) {
        if (isDouble(elementAt(glyphs, near), g, reach)) return near
      } else for (const at of near) if (isDouble(elementAt(glyphs, at), g, reach)) return at
    }
  return undefined
}

const isDouble = (a: Glyph, b: Glyph, reach: number): boolean =>
  a.text === b.text &&
  a.order !== b.order &&
  Math.abs(a.x - b.x) <= reach &&
  Math.abs(a.y - b.y) <= reach &&
  Math.abs(a.size - b.size) < sameSize * b.size
