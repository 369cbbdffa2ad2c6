import { heaviest } from '../geometry.ts'
import { usualSize } from '../typography.ts'

/** The font size of most of the text, to half a point. */
export const textSize = (textRuns: readonly { size: number; text: string }[]): number =>
  heaviest(textRuns.map((p) => [Math.round(p.size * 2) / 2, p.text.length])) ?? usualSize
