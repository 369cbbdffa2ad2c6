import type { TextRun } from '../lines/line.ts'
import { type LineRow, rowsOf } from '../lines/line-rows.ts'
import type { Rule } from '../read/page.ts'
import { farthestRow } from '../tolerances.ts'
import { cutCells } from './cell-gaps.ts'
import { isOver } from './strips.ts'

// A table that continues on the next page has no rule at the bottom of the page: its rows are below the rules of its
// header.

/** Maximum number of header lines. */
const maxHeadLines = 3

/** The rows below the header, unless other text follows them on the page. */
export function rowsToPageEnd(heads: readonly LineRow[], under: Rule, near: readonly TextRun[]): LineRow[] {
  if (heads.length === 0 || heads.length > maxHeadLines) return []
  const below = near.filter((p) => p.baseline - p.size / 2 > under.at)
  const lines = rowsOf(below.flatMap((p) => cutCells(p, under.to - under.from)))
  const [first] = lines
  if (!first || first.textRuns.length < 2) return []
  const fullest = [first, ...heads].reduce((a, b) => (b.textRuns.length > a.textRuns.length ? b : a))
  const out: LineRow[] = []
  for (const line of lines) {
    const above = out.at(-1)?.baseline ?? under.at
    if (line.baseline - above > farthestRow * first.size) break
    if (line.textRuns.some((p) => fullest.textRuns.filter((head) => isOver(p, head)).length > 1)) return []
    out.push(line)
  }
  return out
}
