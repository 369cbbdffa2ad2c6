import { elementAt } from '../element-at.ts'
import { clearMajority, majority, rounding, samePosition, usualSpace } from '../tolerances.ts'
import type { PlacedText } from './open-rows.ts'
import type { Interval } from './strips.ts'

// Whether a line of a table goes on with the row above it. TeX sets the lines of a cell as close as its rows, all cells
// from the same height: where a text begins under an empty place, or its first word had room in the line above, a row
// begins.

/** One word over another may be two cells; a broken line has more. */
const brokenWords = 2

/** The texts of each line, in columns. */
type Lines = readonly (readonly PlacedText[])[]

/**
 * How wide the texts of each column may be. All columns keep the least distance that two of them have; where two
 * neighbours are set to one side, the first reaches as far as that leaves. The last ends where the rules do.
 */
export function roomsOf(lines: Lines, columns: readonly Interval[], right: number): number[] {
  const texts: PlacedText[][] = columns.map(() => [])
  for (const text of lines.flat()) if (text.from === text.to) texts[text.from]?.push(text)
  const lefts = texts.map((own) => areInStep(own.map(({ textRuns }) => -elementAt(textRuns, 0).box.x0)))
  const rights = texts.map((own) => areInStep(own.map(({ textRuns }) => elementAt(textRuns, -1).box.x1)))
  const gaps = columns.slice(1).map(([a], c) => a - elementAt(columns, c)[1])
  const least = gaps.reduce((a, b) => Math.min(a, b), Infinity)
  const spare = (c: number): number => (gaps[c] ?? least) - least
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
/** With a word in small letters; names of programs and files are none. */
const opensSmall = (t: PlacedText): boolean => /^(?:\p{Ll}+[-,;:.)]?(?!\S)|[(,;&+])/u.test(textOf(t))
const sameColumn = (a: PlacedText, b: PlacedText): boolean => a.from === b.from && a.to === b.to

/** The next word did not fit behind it. */
function isFull(upper: PlacedText, lower: PlacedText, rooms: readonly number[]): boolean {
  const [first, last] = [elementAt(upper.textRuns, 0), elementAt(upper.textRuns, -1)]
  const next = elementAt(lower.textRuns, 0)
  const word = next.words[0]?.box ?? next.box
  const needed = last.box.x1 - first.box.x0 + usualSpace * last.size + word.x1 - word.x0
  return upper.from === upper.to && needed > (rooms[upper.from] as number) - rounding
}

const readsOn = (upper: PlacedText, lower: PlacedText): boolean =>
  opensSmall(lower) || /[-–,/(]$/.test(textOf(upper))

const wordsOf = (t: PlacedText): number => t.textRuns.reduce((sum, p) => sum + Math.max(1, p.words.length), 0)

const styleOf = ({ textRuns: [first] }: PlacedText): string => `${first?.font.bold} ${first?.font.italic}`

/** All texts of the lower line continue the text above them. `wrapped`: other cells of the table have several lines. */
export function wraps(
  upper: readonly PlacedText[],
  lower: readonly PlacedText[],
  { rooms, wrapped }: { rooms: readonly number[]; wrapped: boolean },
): boolean {
  const pairs = lower.map((low) => ({ low, up: upper.find((u) => sameColumn(u, low)) }))
  const goesOn = ({ low, up }: { low: PlacedText; up: PlacedText | undefined }): boolean =>
    up !== undefined && isFull(up, low, rooms) && !(isNumber(up) && !readsOn(up, low))
  if (!pairs.every(goesOn)) return false
  const all = pairs as { low: PlacedText; up: PlacedText }[]
  if (all.some(({ low, up }) => readsOn(up, low))) return true
  const few = lower.length <= majority * upper.length
  if (lower.every((t) => t.from > 0)) return few || all.some(({ up }) => wordsOf(up) >= brokenWords)
  return wrapped && few && all.every(({ low, up }) => styleOf(low) === styleOf(up))
}

/** Heads stand on the rule below them: all texts of the upper line go on in the lower one. */
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
