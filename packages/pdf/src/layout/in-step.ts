import { firstFrom } from '../geometry.ts'
import { sameLine } from '../lines/line-rows.ts'
import type { Loose } from './layout.ts'

export const baselineOf = (i: Loose): number => i.textRun?.baseline ?? 0

/** Share of the texts that are on a baseline of one of the others. */
export function inStep(texts: readonly Loose[], others: readonly Loose[]): number {
  const baselines = others.map(baselineOf).sort((a, b) => a - b)
  const hits = texts.filter((i) => {
    const nearest = baselines[firstFrom(baselines, baselineOf(i) - sameLine)] ?? Infinity
    return Math.abs(nearest - baselineOf(i)) < sameLine
  })
  return hits.length / texts.length
}
