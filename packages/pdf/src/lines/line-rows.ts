import { elementAt } from '../element-at.ts'
import { lineTop } from '../font-metrics.ts'
import { minPattern, rounding, samePosition } from '../tolerances.ts'
import type { TextRun } from './line.ts'

// Groups text runs into lines of the page. All stages use this module, so that they see the same lines.

/** Maximum difference of baselines in one line, in points and in ems: cells and labels are positioned separately. */
export const sameLine = 1.2
const sameLineInEms = 0.22

interface OnLine {
  baseline: number
  size: number
}

export interface LineRow extends OnLine {
  textRuns: TextRun[]
}

export const isSameLine = (a: OnLine, b: OnLine): boolean =>
  Math.abs(a.baseline - b.baseline) <= Math.max(sameLine, sameLineInEms * Math.min(a.size, b.size))

/** Rows from top to bottom, each from left to right. */
export function rowsOf(textRuns: readonly TextRun[]): LineRow[] {
  const lines: LineRow[] = []
  for (const textRun of textRuns.filter((p) => p.turn === 0).sort((a, b) => a.baseline - b.baseline)) {
    const last = lines.at(-1)
    if (last && isSameLine(last, textRun)) last.textRuns.push(textRun)
    else lines.push({ baseline: textRun.baseline, size: textRun.size, textRuns: [textRun] })
  }
  const rows = withEqualTops(lines)
  for (const row of rows) row.textRuns.sort((a, b) => a.box.x0 - b.box.x0)
  return rows
}

/** Joins cells of a row that begin at the same height: then the baselines of different fonts differ. */
function withEqualTops(lines: readonly LineRow[]): LineRow[] {
  const joined = repeated(
    lines.flatMap((item, i) => {
      const upper = lines[i - 1]
      return upper && areBeside(upper, item) ? [{ item, lefts: [leftOf(upper), leftOf(item)] }] : []
    }),
  )
  const out: LineRow[] = []
  for (const line of lines)
    if (joined.has(line)) elementAt(out, -1).textRuns.push(...line.textRuns)
    else out.push(line)
  return out
}

const leftOf = ({ textRuns }: LineRow): number => Math.min(...textRuns.map((p) => p.box.x0))

const areBeside = (upper: LineRow, lower: LineRow): boolean =>
  Math.abs(lineTop(elementAt(upper.textRuns, 0)) - lineTop(elementAt(lower.textRuns, 0))) < rounding &&
  lower.textRuns.every(({ box }) => upper.textRuns.every((p) => p.box.x1 <= box.x0 || box.x1 <= p.box.x0))

/** The items of pairs of which several have the same two positions: others are beside each other by chance. */
export function repeated<T>(pairs: readonly { item: T; lefts: readonly number[] }[]): Set<T> {
  const isLike = (a: readonly number[], b: readonly number[]): boolean =>
    a.every((x, i) => Math.abs(x - elementAt(b, i)) < samePosition)
  const isRepeated = ({ lefts }: { lefts: readonly number[] }): boolean =>
    pairs.filter((p) => isLike(p.lefts, lefts)).length >= minPattern
  return new Set(pairs.filter(isRepeated).map((p) => p.item))
}
