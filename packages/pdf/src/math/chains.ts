import { apart, type Item } from './item.ts'

// Chains of small adjacent glyphs: the limit of a sum may be wider than the sum sign and is centred below it.

/** Maximum distance between the baseline of a chain and those of its own scripts, in ems of the first glyph. */
const sameLine = 0.5

/** Maps each item to the middle of its chain. */
export function middlesOf(items: readonly Item[]): ReadonlyMap<Item, number> {
  const chains: { items: Item[]; x0: number; x1: number; y: number; size: number }[] = []
  const open: typeof chains = []
  for (const item of items.toSorted((a, b) => a.box.x0 - b.box.x0)) {
    const { x0, x1 } = item.box
    // Drops chains that ended too far to the left.
    for (let i = open.length - 1; i >= 0; i--) {
      const chain = open[i] as (typeof chains)[number]
      if (x0 - chain.x1 > apart * chain.size) open.splice(i, 1)
    }
    const chain = open.find(
      (c) => Math.abs(item.y - c.y) < sameLine * c.size && item.size < c.size + 1 && item.size > c.size / 2,
    )
    if (chain) {
      chain.items.push(item)
      chain.x1 = Math.max(chain.x1, x1)
    } else {
      const made = { items: [item], x0, x1, y: item.y, size: item.size }
      chains.push(made)
      open.push(made)
    }
  }
  return new Map(chains.flatMap((c) => c.items.map((i) => [i, (c.x0 + c.x1) / 2] as const)))
}
