import { usualSize } from '../typography.ts'

/** The font size of most of the text, to half a point. */
export function textSize(textRuns: Iterable<{ size: number; text: string }>): number {
  const weights = new Map<number, number>()
  for (const p of textRuns) {
    const key = Math.round(p.size * 2) / 2
    weights.set(key, (weights.get(key) ?? 0) + p.text.length)
  }
  return [...weights.entries()].sort((a, b) => b[1] - a[1])[0]?.[0] ?? usualSize
}
