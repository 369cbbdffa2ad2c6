import type { Glyph } from './page.ts'

// Shadows and poor man's bold print the same text twice, a hair apart. The copy on top is kept.

const cell = 4

export function withoutDoubles(glyphs: readonly Glyph[]): Glyph[] {
  const seen = new Map<number, Glyph[]>()
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
    const list = seen.get(key)
    if (list) list.push(g)
    else seen.set(key, [g])
  }
  return out
}

function findDouble(seen: ReadonlyMap<number, Glyph[]>, g: Glyph): Glyph | undefined {
  const reach = Math.min(1.6, 0.12 * g.size)
  const lastX = Math.floor((g.x + reach) / cell)
  const lastY = Math.floor((g.y + reach) / cell)
  for (let cx = Math.floor((g.x - reach) / cell); cx <= lastX; cx++)
    for (let cy = Math.floor((g.y - reach) / cell); cy <= lastY; cy++) {
      const near = seen.get(cx * 65_536 + cy)
      if (!near) continue
      for (const o of near)
        if (
          o.text === g.text &&
          o.order !== g.order &&
          Math.abs(o.x - g.x) <= reach &&
          Math.abs(o.y - g.y) <= reach &&
          Math.abs(o.size - g.size) < 0.1 * g.size
        )
          return o
    }
  return undefined
}
