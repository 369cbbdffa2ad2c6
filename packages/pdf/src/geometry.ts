// Boxes in points, origin at the top left of the upright page, y growing downwards.
export interface Box {
  x0: number
  y0: number
  x1: number
  y1: number
}

export const width = (b: Box): number => b.x1 - b.x0
export const height = (b: Box): number => b.y1 - b.y0
export const area = (b: Box): number => Math.max(0, width(b)) * Math.max(0, height(b))
export const centreX = (b: Box): number => (b.x0 + b.x1) / 2
export const centreY = (b: Box): number => (b.y0 + b.y1) / 2

export function union(boxes: readonly Box[]): Box {
  const out = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity }
  for (const b of boxes) {
    if (b.x0 < out.x0) out.x0 = b.x0
    if (b.y0 < out.y0) out.y0 = b.y0
    if (b.x1 > out.x1) out.x1 = b.x1
    if (b.y1 > out.y1) out.y1 = b.y1
  }
  return out
}

export function intersection(a: Box, b: Box): Box | undefined {
  const x0 = Math.max(a.x0, b.x0)
  const y0 = Math.max(a.y0, b.y0)
  const x1 = Math.min(a.x1, b.x1)
  const y1 = Math.min(a.y1, b.y1)
  return x0 < x1 && y0 < y1 ? { x0, y0, x1, y1 } : undefined
}

/** Share of a's area that is inside b. */
export function shareInside(a: Box, b: Box): number {
  const common = intersection(a, b)
  const whole = area(a)
  return common && whole > 0 ? area(common) / whole : 0
}

export const overlapX = (a: Box, b: Box): number => Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0)

export const overlapY = (a: Box, b: Box): number => Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0)

export const contains = (b: Box, x: number, y: number, slack = 0): boolean =>
  x >= b.x0 - slack && x <= b.x1 + slack && y >= b.y0 - slack && y <= b.y1 + slack

export const grow = (b: Box, by: number): Box => ({
  x0: b.x0 - by,
  y0: b.y0 - by,
  x1: b.x1 + by,
  y1: b.y1 + by,
})

export function touches(a: Box, b: Box, slack: number): boolean {
  return a.x0 - slack <= b.x1 && b.x0 - slack <= a.x1 && a.y0 - slack <= b.y1 && b.y0 - slack <= a.y1
}

export function median(values: readonly number[]): number {
  if (values.length === 0) return 0
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

/** The value with the most weight around it; values within `tolerance` count together. */
export function mode(values: readonly number[], tolerance: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  let best = sorted[0] ?? 0
  let bestCount = 0
  for (let i = 0, j = 0; i < sorted.length; i++) {
    while (j < sorted.length && (sorted[j] as number) - (sorted[i] as number) <= tolerance) j++
    if (j - i > bestCount) {
      bestCount = j - i
      best = sorted[(i + j - 1) >> 1] as number
    }
  }
  return best
}

/** The key with the most weight in total, the first of equal ones. */
export function heaviest<K>(entries: Iterable<readonly [K, number]>): K | undefined {
  const weights = new Map<K, number>()
  for (const [key, weight] of entries) weights.set(key, (weights.get(key) ?? 0) + weight)
  let best: [key: K | undefined, weight: number] = [undefined, -Infinity]
  for (const entry of weights) if (entry[1] > best[1]) best = entry
  return best[0]
}

/** Index of the first value that is not below `min` in a sorted list. */
export function firstFrom(sorted: readonly number[], min: number): number {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle] as number) < min) from = middle + 1
    else to = middle
  }
  return from
}
