import { type Box, width } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { minPattern, usualSpace } from '../tolerances.ts'

/** Whether the first word of a text would have fitted after the text above it, where there is `room` for a line. */
export const wouldFit = (upper: Box, next: TextRun, room: number): boolean =>
  width(upper) + usualSpace * next.size + width((next.words[0] ?? next).box) < room

/**
 * Whether a sentence continues from one line of a cell to the next: in lower case, and because its next word did not
 * fit.
 */
export const isBroken = (last: TextRun, next: TextRun, edge: number): boolean =>
  next.words.length > 0 &&
  last.words.length >= minPattern &&
  /^\p{Ll}{2}/u.test(next.text) &&
  !/[.!?:;]$/.test(last.text) &&
  !wouldFit(last.box, next, edge - last.box.x0)
