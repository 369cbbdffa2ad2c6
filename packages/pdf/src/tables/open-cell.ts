import type { TextRun } from '../lines/line.ts'
import type { Page, Rule } from '../read/page.ts'
import { borderFrom, fillOf } from './ruled.ts'
import type { FoundCell } from './table.ts'

/** Edges of rows are guessed from their texts, so a rule may lie off one by this; in points. */
const nearEdge = 3
/** A rule is a border of the cells that it runs along for more than half of their width. */
const leastAlong = 0.6

/** A cell of a table without vertical rules; horizontal ones that run along it are its borders. */
export function openCell(
  place: { row: number; column: number; span: number; rowSpan?: number; textRuns: TextRun[] },
  { xs, ys }: { xs: readonly number[]; ys: readonly number[] },
  rules: readonly Rule[],
  page: Page,
): FoundCell {
  const { row, column, span, rowSpan = 1, textRuns } = place
  const box = {
    x0: xs[column] as number,
    x1: xs[column + span] as number,
    y0: ys[row] as number,
    y1: ys[row + rowSpan] as number,
  }
  const at = (y: number): Rule | undefined =>
    rules.find(
      (r) =>
        !r.weak &&
        Math.abs(r.at - y) < nearEdge &&
        Math.min(r.to, box.x1) - Math.max(r.from, box.x0) > leastAlong * (box.x1 - box.x0),
    )
  const top = at(box.y0)
  const bottom = at(box.y1)
  return {
    row,
    column,
    rowSpan,
    columnSpan: span,
    box,
    textRuns,
    pictures: [],
    tables: [],
    fill: fillOf(box, page.fills),
    borders: { ...(top ? { top: borderFrom(top) } : {}), ...(bottom ? { bottom: borderFrom(bottom) } : {}) },
  }
}
