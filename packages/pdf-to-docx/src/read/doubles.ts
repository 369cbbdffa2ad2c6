import type { Glyph } from './page.ts'

// Shadows and poor man's bold print the same text twice, a hair apart. The copy on top is kept.

const cell = 2

export function withoutDoubles(glyphs: readonly Glyph[]): Glyph[] {
  const seen = new Map<string, Glyph[]>()
  const out: Glyph[] = []
  for (const original of glyphs) {
    const g = { ...original }
    const cx = Math.round(g.x / cell)
    const cy = Math.round(g.y / cell)
    const reach = Math.min(1.6, 0.12 * g.size)
    let double: Glyph | undefined
    for (let dx = -1; dx <= 1 && !double; dx++)
      for (let dy = -1; dy <= 1 && !double; dy++)
        double = seen
          .get(`${g.text}${cx + dx},${cy + dy}`)
          ?.find(
            (o) =>
              o.order !== g.order &&
              Math.abs(o.x - g.x) <= reach &&
              Math.abs(o.y - g.y) <= reach &&
              Math.abs(o.size - g.size) < 0.1 * g.size,
          )
    if (double && g.text.trim()) {
      // What is painted last is what one sees; its shadow lies below.
      Object.assign(double, g)
      continue
    }
    out.push(g)
    const key = `${g.text}${cx},${cy}`
    const list = seen.get(key)
    if (list) list.push(g)
    else seen.set(key, [g])
  }
  return out
}
