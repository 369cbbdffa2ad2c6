import { elementAt } from '../element-at.ts'
import { median } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import type { LineRow } from '../lines/line-rows.ts'
import { nearlyAll, samePosition } from '../tolerances.ts'
import { wouldFit } from './row-wraps.ts'
import type { Interval } from './strips.ts'

// Rows by the distances of their lines.

type Line = Pick<LineRow, 'baseline' | 'textRuns'>

/** The column that starts at a position or before it. */
export const columnsAt =
  (columns: readonly Interval[]) =>
  (x: number): number =>
    Math.max(
      0,
      columns.findLastIndex(([left]) => x >= left - samePosition),
    )

/** The number of columns that a text extends into. */
export const spans = ({ box }: TextRun, columns: readonly Interval[]): number =>
  columns.filter(([left, right]) => Math.min(right, box.x1) - Math.max(left, box.x0) > 1).length

const isNumber = ({ text }: TextRun): boolean => /\d/.test(text) && !/\p{L}/u.test(text)

/**
 * Lines of one cell are closer than rows, and centred texts are closer still. Finds the minimum distance with which
 * every row is plausible. Returns the first line of each row; undefined if every line is a row, or no distance works.
 */
export function rowsByDistance(lines: readonly Line[], columns: readonly Interval[]): number[] | undefined {
  const columnAt = columnsAt(columns)
  const columnOf = ({ box }: TextRun): number => columnAt(box.x0 + 1)
  const step = (i: number): number =>
    i > 0 && i < lines.length ? elementAt(lines, i).baseline - elementAt(lines, i - 1).baseline : Infinity
  /** Whether texts of both lines would have fitted on one: in two columns, or in the first beside another text. */
  const isOwnRow = (upper: Line, lower: Line): boolean => {
    const fitting = lower.textRuns.filter((low) => {
      const [, x1] = elementAt(columns, columnOf(low))
      return upper.textRuns.some(
        (up) => columnOf(up) === columnOf(low) && wouldFit(up.box, low, x1 - up.box.x0),
      )
    })
    return fitting.length > 1 || (lower.textRuns.length > 1 && fitting.some((p) => columnOf(p) === 0))
  }
  const isRow = (from: number, to: number, usual: number): boolean => {
    const own = lines.slice(from, to)
    if (own.slice(1).some((line, i) => isOwnRow(elementAt(own, i), line))) return false
    const parts = own.flatMap((l) => l.textRuns)
    const filled = new Set(parts.map(columnOf))
    const numbers = parts.filter(isNumber).map(columnOf)
    // The name of a group of rows is as far from them as they are from each other; a row of totals has no name.
    if (parts.length === 1)
      return spans(elementAt(parts, 0), columns) > 1 || Math.min(step(from), step(to)) >= nearlyAll * usual
    const isNamed = filled.has(0) || (to - from === 1 && numbers.length > 0)
    return isNamed && filled.size > 1 && new Set(numbers).size === numbers.length
  }
  if (lines.every((_, i) => isRow(i, i + 1, Infinity))) return undefined
  for (const minDistance of new Set(
    lines
      .slice(1)
      .map((_, i) => step(i + 1))
      .sort((a, b) => a - b),
  )) {
    const starts = lines.flatMap((_, i) => (i === 0 || step(i) > minDistance + 1 ? [i] : []))
    if (starts.length < 2) return undefined
    const usual = median(starts.slice(1).map(step))
    if (starts.every((from, i) => isRow(from, starts[i + 1] ?? lines.length, usual))) return starts
  }
  return undefined
}
