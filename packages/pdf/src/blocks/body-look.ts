import { sizeableShare } from '../tolerances.ts'
import { usualSize } from '../typography.ts'
import type { Paragraph } from './block.ts'

/** A paragraph of more than one line and a hundred characters is running text: no heading is as long. */
const minRunning = 100
/** A look that is on a seventh of the text marks nothing; a bold one marks lead-ins and terms as well, so it may be on more. */
const commonShare = 0.14
/** Below a page of text, in characters, shares mean nothing. */
const minTextForShares = 1500
/** Sizes are counted to the half point: producers round them. */
const stepsInPoint = 2

export interface BodyLook {
  size: number
  bold: boolean
  /** rrggbb. */
  color: string
  /** Its look is that of much of the text, so it marks nothing. */
  common: (p: Paragraph) => boolean
}

export const isRunningText = (p: Paragraph): boolean => p.lines > 1 && p.text.length > minRunning

/** What headings stand out from: the look of most characters. */
export function bodyLook(paragraphs: readonly Paragraph[]): BodyLook {
  const sizes = new Map<number, number>()
  const colors = new Map<string, number>()
  const looks = new Map<string, number>()
  const lookOf = (p: Paragraph): string => `${Math.round(p.size * stepsInPoint)}/${p.bold}`
  let bold = 0
  let total = 0
  const add = <K>(map: Map<K, number>, key: K, weight: number): void => {
    map.set(key, (map.get(key) ?? 0) + weight)
  }
  // Listings are often smaller than the text, and may be longer.
  const text = paragraphs.filter((p) => !p.font.mono)
  for (const p of text.length > 0 ? text : paragraphs) {
    add(looks, lookOf(p), p.text.length)
    add(sizes, Math.round(p.size * stepsInPoint) / stepsInPoint, p.text.length)
    for (const run of p.runs) add(colors, run.style.color, run.text.length)
    total += p.text.length
    if (p.bold) bold += p.text.length
  }
  const most = <K>(map: Map<K, number>): K | undefined =>
    [...map.entries()].sort((a, b) => b[1] - a[1])[0]?.[0]
  return {
    size: most(sizes) ?? usualSize,
    bold: bold > total / 2,
    color: most(colors) ?? '000000',
    common: (p) =>
      (looks.get(lookOf(p)) ?? 0) > (p.bold ? sizeableShare : commonShare) * total &&
      total > minTextForShares,
  }
}
