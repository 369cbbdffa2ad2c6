import { sizeableShare } from '../tolerances.ts'
import { usualSize } from '../typography.ts'
import type { Paragraph } from './block.ts'

/** A paragraph of more than one line and a hundred characters is running text: headings are shorter. */
const minRunning = 100
/**
 * A look that a seventh of the text has does not mark headings. Bold also marks lead-ins and terms, so its share may be
 * larger.
 */
const commonShare = 0.14
/** In characters. With less than a page of text, shares are not significant. */
const minTextForShares = 1500
/** Sizes are counted to the half point: producers round them. */
const stepsInPoint = 2

export interface BodyLook {
  size: number
  bold: boolean
  /** rrggbb. */
  color: string
  /** Whether much of the text has this look, so that it does not mark a heading. */
  common: (p: Paragraph) => boolean
}

export const isRunningText = (p: Paragraph): boolean => p.lines > 1 && p.text.length > minRunning

/** The look of most characters, which headings differ from. */
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
  const mostFrequent = <K>(map: Map<K, number>): K | undefined =>
    [...map.entries()].sort((a, b) => b[1] - a[1])[0]?.[0]
  return {
    size: mostFrequent(sizes) ?? usualSize,
    bold: bold > total / 2,
    color: mostFrequent(colors) ?? '000000',
    common: (p) =>
      (looks.get(lookOf(p)) ?? 0) > (p.bold ? sizeableShare : commonShare) * total &&
      total > minTextForShares,
  }
}
