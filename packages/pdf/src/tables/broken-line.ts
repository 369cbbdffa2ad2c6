import type { TextRun } from '../lines/line.ts'
import { minPattern, usualSpace } from '../tolerances.ts'

/**
 * Whether a sentence continues from one line of a cell to the next: in lower case, and because its next word did not
 * fit.
 */
export function isBroken(last: TextRun, next: TextRun, edge: number): boolean {
  const word = next.words[0]
  return (
    word !== undefined &&
    last.words.length >= minPattern &&
    /^\p{Ll}{2}/u.test(next.text) &&
    !/[.!?:;]$/.test(last.text) &&
    last.box.x1 + usualSpace * last.size + (word.box.x1 - word.box.x0) > edge
  )
}
