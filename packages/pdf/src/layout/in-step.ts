import { lineTop } from '../font-metrics.ts'
import { firstFrom } from '../geometry.ts'
import { repeated, sameLine } from '../lines/line-rows.ts'
import { rounding } from '../tolerances.ts'
import type { Loose } from './layout.ts'

export const baselineOf = (i: Loose): number => i.textRun?.baseline ?? 0
const topOf = ({ textRun, box }: Loose): number => (textRun ? lineTop(textRun) : box.y0)

/** Share of the texts that are on a baseline of one of the others, or repeatedly begin at the same height. */
export function inStep(texts: readonly Loose[], others: readonly Loose[]): number {
  const onBaseline = besides(texts, others, sameLine, baselineOf)
  const atTop = besides(texts, others, rounding, topOf).map(({ item, beside }) => ({
    item,
    lefts: [item.box.x0, beside.box.x0],
  }))
  return new Set([...onBaseline.map((p) => p.item), ...repeated(atTop)]).size / texts.length
}

function besides(
  texts: readonly Loose[],
  others: readonly Loose[],
  tolerance: number,
  positionOf: (i: Loose) => number,
): { item: Loose; beside: Loose }[] {
  const sorted = others.map((beside) => ({ beside, at: positionOf(beside) })).sort((a, b) => a.at - b.at)
  const positions = sorted.map((s) => s.at)
  return texts.flatMap((item) => {
    const at = positionOf(item)
    const next = sorted[firstFrom(positions, at - tolerance)]
    return next && Math.abs(next.at - at) < tolerance ? [{ item, beside: next.beside }] : []
  })
}
