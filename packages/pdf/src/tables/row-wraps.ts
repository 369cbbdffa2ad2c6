import { elementAt } from '../element-at.ts'
import { type Box, width } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { clearMajority, majority, minPattern, rounding, samePosition, usualSpace } from '../tolerances.ts'
import type { PlacedText } from './open-rows.ts'
import type { Interval } from './strips.ts'

// Decides whether a line of a table continues the row above. In TeX, lines of a cell are as close as rows, and all
// cells are top-aligned: if a text begins below an empty cell, or if its first word would have fitted on the line
// above, a new row begins.

/** Single words above each other may be two cells; a broken line has more words. */
const brokenWords = 2

/** The texts of each line, by column. */
type Lines = readonly (readonly PlacedText[])[]

/**
 * The maximum width of the texts in each column. All columns have at least the minimum distance that occurs between two
 * of them; if two adjacent columns are aligned to one side, the first may extend to this distance. The last ends where
 * the rules end.
 */
export function roomsOf(lines: Lines, columns: readonly Interval[], right: number): number[] {
  const texts: PlacedText[][] = columns.map(() => [])
  for (const text of lines.flat()) if (text.from === text.to) texts[text.from]?.push(text)
  const lefts = texts.map((own) => areInStep(own.map(({ textRuns }) => -elementAt(textRuns, 0).box.x0)))
  const rights = texts.map((own) => areInStep(own.map(({ textRuns }) => elementAt(textRuns, -1).box.x1)))
  const gaps = columns.slice(1).map(([a], c) => a - elementAt(columns, c)[1])
  const minGap = gaps.reduce((a, b) => Math.min(a, b), Infinity)
  const spare = (c: number): number => (gaps[c] ?? minGap) - minGap
  return columns.map(([a, b], c) => {
    const last = c === columns.length - 1
    if (lefts[c] && last) return Math.max(b, right) - a
    if (lefts[c] && lefts[c + 1]) return b - a + spare(c)
    return b - a + (rights[c] && rights[c - 1] ? spare(c - 1) : 0)
  })
}

function areInStep(edges: readonly number[]): boolean {
  const farthest = edges.reduce((a, b) => Math.max(a, b), -Infinity)
  return edges.filter((x) => farthest - x < samePosition).length > clearMajority * edges.length
}

const textOf = (t: PlacedText): string => t.textRuns.map((p) => p.text).join(' ')
const isNumber = (t: PlacedText): boolean => /\d/.test(textOf(t)) && !/\p{L}{2}/u.test(textOf(t))
/** Begins with a lower-case word; names of programs and files do not count. */
const opensSmall = (t: PlacedText): boolean => /^(?:\p{Ll}+[-,;:.)]?(?!\S)|[(,;&+])/u.test(textOf(t))
const sameColumn = (a: PlacedText, b: PlacedText): boolean => a.from === b.from && a.to === b.to

/** The next word did not fit after it. */
function isFull(upper: PlacedText, lower: PlacedText, rooms: readonly number[]): boolean {
  const [first, last] = [elementAt(upper.textRuns, 0), elementAt(upper.textRuns, -1)]
  const next = elementAt(lower.textRuns, 0)
  const line = { ...last.box, x0: first.box.x0 }
  return upper.from === upper.to && !wouldFit(line, next, elementAt(rooms, upper.from) - rounding)
}

const readsOn = (upper: PlacedText, lower: PlacedText): boolean =>
  opensSmall(lower) || /[-–,/(]$/.test(textOf(upper))

const wordsOf = (t: PlacedText): number => t.textRuns.reduce((sum, p) => sum + Math.max(1, p.words.length), 0)

/** Whether all texts of the lower line continue those above. `wrapped`: other cells have several lines. */
export function wraps(
  upper: readonly PlacedText[],
  lower: readonly PlacedText[],
  { rooms, wrapped }: { rooms: readonly number[]; wrapped: boolean },
): boolean {
  const pairs = lower.map((low) => ({ low, up: upper.find((u) => sameColumn(u, low)) }))
  const goesOn = ({ low, up }: { low: PlacedText; up: PlacedText | undefined }): boolean =>
    up !== undefined && isFull(up, low, rooms) && (readsOn(up, low) || !(isNumber(up) || isNumber(low)))
  if (!pairs.every(goesOn)) return false
  const all = pairs as { low: PlacedText; up: PlacedText }[]
  if (all.some(({ low, up }) => readsOn(up, low))) return true
  const few = lower.length <= majority * upper.length
  if (lower.every((t) => t.from > 0)) return few || all.some(({ up }) => wordsOf(up) >= brokenWords)
  return wrapped && few
}

/** Header texts are bottom-aligned: all texts of the upper line continue in the lower one. */
export const headWraps = (
  upper: readonly PlacedText[],
  lower: readonly PlacedText[],
  rooms: readonly number[],
): boolean =>
  [...upper, ...lower].every((t) => t.from === t.to) &&
  upper.every((up) => {
    const low = lower.find((t) => sameColumn(up, t))
    return low !== undefined && (upper.length < rooms.length || isFull(up, low, rooms))
  })

/** Whether the first word of a text would have fitted after the text above it, where there is `room` for a line. */
export const wouldFit = (upper: Box, next: TextRun, room: number): boolean =>
  width(upper) + usualSpace * next.size + width((next.words[0] ?? next).box) < room

/** Whether a sentence goes on in the next line of a cell: in lower case, because its next word did not fit. */
export const isBroken = (last: TextRun, next: TextRun, edge: number): boolean =>
  next.words.length > 0 &&
  last.words.length >= minPattern &&
  /^\p{Ll}{2}/u.test(next.text) &&
  !/[.!?:;]$/.test(last.text) &&
  !wouldFit(last.box, next, edge - last.box.x0)
