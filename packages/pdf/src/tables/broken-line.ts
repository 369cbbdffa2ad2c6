import type { TextRun } from '../lines/line.ts'

/** Words of a line that was broken. */
const leastWords = 3
/** A space between words, in ems. */
const space = 0.25

/** A sentence goes on from one line of a cell to the next: with small letters, because its next word did not fit. */
export function isBroken(last: TextRun, next: TextRun, edge: number): boolean {
  const word = next.words[0]
  return (
    word !== undefined &&
    last.words.length >= leastWords &&
    /^\p{Ll}{2}/u.test(next.text) &&
    !/[.!?:;]$/.test(last.text) &&
    last.box.x1 + space * last.size + (word.box.x1 - word.box.x0) > edge
  )
}
