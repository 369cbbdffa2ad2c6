import type { Glyph } from './page.ts'

// Shadows and poor man's bold print the same text twice, a hair apart. The copy on top is kept.

const cell = 2

export function withoutDoubles(glyphs: readonly Glyph[]): Glyph[] {
  const seen = new Map<number, Glyph[]>()
  const out: Glyph[] = []
  for (const g of glyphs) {
    const cx = Math.round(g.x / cell)
    const cy = Math.round(g.y / cell)
    const double = g.text.trim() ? findDouble(seen, g, cx, cy) : undefined
    if (double) {
      // What is painted last is what one sees; its shadow lies below.
      Object.assign(double, g)
      continue
    }
    out.push(g)
    const key = cx * 65_536 + cy
    const list = seen.get(key)
    if (list) list.push(g)
    else seen.set(key, [g])
  }
  return out
}

function findDouble(seen: ReadonlyMap<number, Glyph[]>, g: Glyph, cx: number, cy: number): Glyph | undefined {
  const reach = Math.min(1.6, 0.12 * g.size)
  for (let dx = -1; dx <= 1; dx++)
    for (let dy = -1; dy <= 1; dy++) {
      const near = seen.get((cx + dx) * 65_536 + cy + dy)
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
