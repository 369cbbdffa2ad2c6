import { heaviest } from '../geometry.ts'
import { sizeableShare } from '../tolerances.ts'
import { usualSize } from '../typography.ts'
import type { Paragraph } from './block.ts'

/** A paragraph of more than one line and a hundred characters is running text: headings are shorter. */
const minRunning = 100
/** A look that a seventh of the text has does not mark headings; nor does bold of a third: it marks terms, too. */
const commonShare = 0.14
/** In characters. With less than a page of text, shares are not significant. */
const minTextForShares = 1500
export interface BodyLook {
  size: number
  bold: boolean
  /** Whether much of the text has this look, so that it does not mark a heading. */
  common: (p: Paragraph) => boolean
}

export const isRunningText = (p: Paragraph): boolean => p.lines > 1 && p.text.length > minRunning

/** The look of most characters, which headings differ from. */
export function bodyLook(paragraphs: readonly Paragraph[]): BodyLook {
  // Listings are often smaller than the text, and may be longer.
  const prose = paragraphs.filter((p) => !p.font.mono)
  const text = prose.length > 0 ? prose : paragraphs
  const lengthOf = (own: readonly Paragraph[]): number => own.reduce((sum, p) => sum + p.text.length, 0)
  const lookOf = (p: Paragraph): string => `${Math.round(p.size * 2)}/${p.bold}`
  const lengths = new Map([...Map.groupBy(text, lookOf)].map(([look, own]) => [look, lengthOf(own)]))
  const total = lengthOf(text)
  return {
    size: textSize(text),
    bold: lengthOf(text.filter((p) => p.bold)) > total / 2,
    common: (p) =>
      (lengths.get(lookOf(p)) ?? 0) > (p.bold ? sizeableShare : commonShare) * total &&
      total > minTextForShares,
  }
}

/** The font size of most of the text, to half a point. */
export const textSize = (textRuns: readonly { size: number; text: string }[]): number =>
  heaviest(textRuns.map((p) => [Math.round(p.size * 2) / 2, p.text.length])) ?? usualSize
