import { median } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import type { LineRow } from '../lines/line-rows.ts'
import { asInRtlLine, runsFromRight } from '../lines/rtl-lines.ts'
import { clearMajority, majority, minPattern, nearlyAll, sizeableShare, surePattern } from '../tolerances.ts'
import type { Interval } from './strips.ts'

// Distinguishes tables from running text whose gaps are aligned by chance.

const labelOnly =
  /^(?:[\u2022\u25aa\u25cf\u25e6\u00b7\u25cb\u25a0\ue000-\uf8ff*–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,2}(?:\.\d{1,2})+\.?)$/u
const numeric = /^[\s\d.,:%()€$£¥+\-–—/*#]+$|^(?:n\/?a|-|–|—)$/i

/** Cells are short, in characters: the median of a column is less than half a line, and few are longer. */
const longCell = 34
const proseCell = 45

/** Minimum share of full rows in a table with numbers: in an invoice, several lines of text follow each of them. */
const fullShareNumeric = 0.3

/** `lines` are split at column edges. Short aligned cells, not prose side by side, not a list, not a table of contents. */
export function isTabular(
  lines: readonly LineRow[],
  columns: readonly Interval[],
  columnAt: (x: number) => number,
  headed = false,
): boolean {
  const isFromRight = runsFromRight(lines.flatMap((l) => l.textRuns))
  const textOf = (p: TextRun): string => (isFromRight ? asInRtlLine(p) : p).text.trim()
  const texts: string[][] = columns.map(() => [])
  for (const line of lines) for (const p of line.textRuns) texts[columnAt(p.box.x0 + 1)]?.push(textOf(p))
  const full = lines.filter((l) => new Set(l.textRuns.map((p) => columnAt(p.box.x0 + 1))).size >= 2).length
  const [first = [], second = []] = isFromRight ? texts.toReversed() : texts
  const labels = first.filter((t) => labelOnly.test(t)).length
  // Labels followed by text are a list; numbers beside numbers are not.
  const figures = second.filter((t) => numeric.test(t)).length
  if (
    columns.length === 2 &&
    labels > clearMajority * first.length &&
    figures < clearMajority * second.length
  )
    return false
  const all = texts.flat()
  if (all.some((t) => /[._]{6,}|(?:\. ){5,}/.test(t))) return false
  const long = texts.filter((t) => t.length > 0 && median(t.map((s) => s.length)) > longCell)
  const prose = texts.filter(
    (t) => t.filter((s) => s.length > proseCell).length > majority * t.length && t.length >= 2,
  )
  if (long.length > 1 || prose.length > 1) return false
  // Lines that continue with a lower-case letter, in more than one column, are running text; below a header, names of
  // programs and the lines of their descriptions begin so.
  const flowing = texts.filter(
    (t) =>
      t.length >= surePattern &&
      t.slice(1).filter((s) => /^\p{Ll}/u.test(s)).length >= sizeableShare * t.length,
  )
  if (flowing.length > 1 && !headed) return false
  // So are consecutive lines that fill their column.
  const running = columns.filter(([left, right], i) => {
    const own = lines.flatMap((l) => l.textRuns.filter((p) => columnAt(p.box.x0 + 1) === i))
    const filling = own.filter(
      (p) => p.box.x1 - p.box.x0 > nearlyAll * (right - left) && p.words.length >= minPattern,
    )
    return own.length >= minPattern && filling.length >= clearMajority * own.length
  })
  if (running.length > 1) return false
  const numbers = texts
    .slice(1)
    .filter(
      (t) => t.length >= 2 && t.filter((s) => numeric.test(s)).length >= clearMajority * t.length,
    ).length
  if (headed) return full >= 2
  if (columns.length === 2) {
    if (prose.length > 0) return false
    return (
      full >= (numbers > 0 ? minPattern : surePattern) && (numbers > 0 || full >= nearlyAll * lines.length)
    )
  }
  if (numbers === 0 && (running.length > 0 || prose.length > 0))
    return full >= surePattern && full >= clearMajority * lines.length
  return numbers > 0
    ? full >= 2 && full >= fullShareNumeric * lines.length
    : full >= minPattern && full >= majority * lines.length
}
