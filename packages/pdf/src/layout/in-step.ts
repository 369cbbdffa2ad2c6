import { firstFrom } from '../geometry.ts'
import type { Loose } from './layout.ts'

/** Baselines that differ by less, in points, are one. */
export const sameBaseline = 0.8

export const baselineOf = (i: Loose): number => i.textRun?.baseline ?? 0

/** Share of some texts that stand on a baseline of others. */
export function inStep(texts: readonly Loose[], others: readonly Loose[]): number {
  const baselines = others.map(baselineOf).sort((a, b) => a - b)
  const hits = texts.filter((i) => {
    const nearest = baselines[firstFrom(baselines, baselineOf(i) - sameBaseline)] ?? Infinity
    return Math.abs(nearest - baselineOf(i)) < sameBaseline
  })
  return hits.length / texts.length
}
