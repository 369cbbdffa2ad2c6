import type { TextRun } from '../lines/line.ts'
import type { LineRow } from '../lines/line-rows.ts'
import type { Region } from './regions.ts'
import type { Interval } from './strips.ts'

// Running text in columns between two lines across the page is no table: its lines fill their columns one
// after the other, in more than one column, with no line drawn between them.

/** A cell rarely holds as many lines. */
const manyLines = 8
/** Share of a column's width that a line of running text fills, and of its lines that do. */
const filling = 0.8
const mostLines = 0.6
/** Words and characters of such a line, at least. */
const fewWords = 3
const fewCharacters = 18

export function holdsProse({ lines, rules, headEnd }: Region, columns: readonly Interval[]): boolean {
  // Under heads between rules of their own stand rows, however long their texts are.
  if (lines.some((l) => l.baseline < headEnd && l.textRuns.length > 1)) return false
  const stretches: LineRow[][] = [[]]
  for (const [i, line] of lines.entries()) {
    const above = lines[i - 1]?.baseline ?? line.baseline
    if (rules.some((r) => r.at > above && r.at < line.baseline)) stretches.push([])
    stretches.at(-1)?.push(line)
  }
  return stretches.some((own) => columns.filter((column) => runsOn(own, column)).length > 1)
}

function runsOn(lines: readonly LineRow[], [a, b]: Interval): boolean {
  const own = lines.flatMap((l) =>
    l.textRuns
      .filter((p) => p.box.x0 < b && p.box.x1 > a)
      .map((p) => ({ textRun: p, wide: p.box.x1 - p.box.x0 })),
  )
  const full = own.filter((o) => o.wide > filling * (b - a) && isLong(o.textRun)).length
  return own.length >= manyLines && full >= mostLines * own.length
}

const isLong = (p: TextRun): boolean => p.words.length >= fewWords && p.text.length >= fewCharacters
