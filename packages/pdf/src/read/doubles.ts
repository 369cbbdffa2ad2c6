import type { Glyph } from './page.ts'

// Shadows and poor man's bold print the same text twice, a hair apart. The copy on top is kept.

const cell = 4

export function withoutDoubles(glyphs: readonly Glyph[]): Glyph[] {
  // One drawing operation does not paint over itself.
  if (!glyphs.some((g) => g.order !== glyphs[0]?.order)) return [...glyphs]
  const seen = new Map<number, Glyph | Glyph[]>()
  const out: Glyph[] = []
  for (const g of glyphs) {
    const double = g.text.trim() ? findDouble(seen, g) : undefined
    if (double) {
      // What is painted last is what one sees; its shadow lies below.
      Object.assign(double, g)
      continue
    }
    out.push(g)
    const key = Math.floor(g.x / cell) * 65_536 + Math.floor(g.y / cell)
    const there = seen.get(key)
    if (there === undefined) seen.set(key, g)
    else if (Array.isArray(there)) there.push(g)
    else seen.set(key, [there, g])
  }
  return out
}

function findDouble(seen: ReadonlyMap<number, Glyph | Glyph[]>, g: Glyph): Glyph | undefined {
  const reach = Math.min(1.6, 0.12 * g.size)
  const lastX = Math.floor((g.x + reach) / cell)
  const lastY = Math.floor((g.y + reach) / cell)
  for (let cx = Math.floor((g.x - reach) / cell); cx <= lastX; cx++)
    for (let cy = Math.floor((g.y - reach) / cell); cy <= lastY; cy++) {
      const near = seen.get(cx * 65_536 + cy)
      if (!near) continue
      if (!Array.isArray(near)) {
        if (isDouble(near, g, reach)) return near
      } else for (const o of near) if (isDouble(o, g, reach)) return o
    }
  return undefined
}

const isDouble = (a: Glyph, b: Glyph, reach: number): boolean =>
  a.text === b.text &&
  a.order !== b.order &&
  Math.abs(a.x - b.x) <= reach &&
  Math.abs(a.y - b.y) <= reach &&
  Math.abs(a.size - b.size) < 0.1 * b.size
