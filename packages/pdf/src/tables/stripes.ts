import { elementAt } from '../element-at.ts'
import { type Box, centreX, centreY } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { type LineRow, rowsOf } from '../lines/line-rows.ts'
import type { Rule } from '../read/page.ts'
import { closeLines, farthestRow, meeting, samePosition } from '../tolerances.ts'
import { clusterPositions } from './rules.ts'

// Tables of which only some rows are shaded, cell by cell: the edges of the shaded cells continue through the rows
// between them, and through those above the first and below the last.

interface Stripe {
  rules: Rule[]
  xs: number[]
  top: number
  bottom: number
}

/** Joins groups of connected rules that are shaded rows of one table. */
export function joinStripes(groups: readonly Rule[][], textRuns: readonly TextRun[]): Rule[][] {
  const stripes = groups.map(readStripe)
  const out = groups.filter((_, i) => stripes[i] === undefined)
  const tables: Stripe[][] = []
  for (const stripe of stripes.filter((s) => s !== undefined).sort((a, b) => a.top - b.top)) {
    const table = tables.find((t) => goesOn(elementAt(t, -1), stripe, textRuns))
    if (table) table.push(stripe)
    else tables.push([stripe])
  }
  return [...out, ...tables.map((t) => rulesOf(t, textRuns))]
}

/** Undefined if the rules are not shaded cells side by side. */
function readStripe(rules: readonly Rule[]): Stripe | undefined {
  const sides = rules.filter((r) => !r.horizontal)
  const ys = rules.filter((r) => r.horizontal).map((r) => r.at)
  const xs = clusterPositions(
    sides.map((r) => r.at),
    meeting,
  )
  if (xs.length < 3 || ys.length < 2) return undefined
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
  const areCells = sides.every((r) => r.weak && r.from < top + meeting && r.to > bottom - meeting)
  return areCells && bottom - top > meeting ? { rules: [...rules], xs, top, bottom } : undefined
}

function goesOn(upper: Stripe, lower: Stripe, textRuns: readonly TextRun[]): boolean {
  const isAligned =
    upper.xs.length === lower.xs.length &&
    upper.xs.every((x, i) => Math.abs(x - elementAt(lower.xs, i)) <= meeting)
  if (!isAligned || lower.top < upper.bottom) return false
  const texts = textsIn(upper.xs, upper.bottom, lower.top, textRuns)
  if (texts.length === 0) return lower.top - upper.bottom < lower.bottom - lower.top
  return fits(texts, upper.xs) && columnsOf(texts, upper.xs) > 1
}

const textsIn = (xs: readonly number[], y0: number, y1: number, textRuns: readonly TextRun[]): TextRun[] =>
  textRuns.filter(
    (p) =>
      p.turn === 0 &&
      centreY(p.box) > y0 &&
      centreY(p.box) < y1 &&
      p.box.x1 > elementAt(xs, 0) &&
      p.box.x0 < elementAt(xs, -1),
  )

const wordsOf = (texts: readonly TextRun[]): Box[] =>
  texts.flatMap((p) => (p.words.length > 0 ? p.words.map((w) => w.box) : [p.box]))

/** Whether no word crosses an edge of a column. */
const fits = (texts: readonly TextRun[], xs: readonly number[]): boolean =>
  !wordsOf(texts).some((w) => xs.some((x) => w.x0 < x - samePosition && w.x1 > x + samePosition))

/** The number of columns that have text. */
const columnsOf = (texts: readonly TextRun[], xs: readonly number[]): number =>
  new Set(wordsOf(texts).map((w) => xs.findLastIndex((x) => x < centreX(w)))).size

function rulesOf(table: readonly Stripe[], textRuns: readonly TextRun[]): Rule[] {
  const { xs, rules } = elementAt(table, 0)
  const out = [...rules]
  let bottom = elementAt(table, 0).bottom
  let tallest = 0
  const extend = (y0: number, y1: number): void => {
    for (const at of xs) out.push({ ...edge, horizontal: false, at, from: y0, to: y1 })
  }
  for (const stripe of table.slice(1)) {
    const isEmpty = textsIn(xs, bottom, stripe.top, textRuns).length === 0
    if (!isEmpty) tallest = Math.max(tallest, stripe.top - bottom)
    extend(bottom, stripe.top)
    // White between two shaded rows is a thick white rule.
    const y = bottom
    for (const r of stripe.rules)
      out.push(isEmpty && r.horizontal && r.at < stripe.top + meeting ? { ...r, at: y } : r)
    bottom = stripe.bottom
  }
  const close = (y: number): void => {
    out.push({ ...edge, horizontal: true, at: y, from: elementAt(xs, 0), to: elementAt(xs, -1) })
  }
  // A single shaded row may be a box with text beside it.
  if (table.length === 1 && rules.every((r) => r.weak)) return out
  const first = elementAt(table, 0).top
  const limit = tallest > 0 ? tallest : Infinity
  const lower = rowsOf(textsIn(xs, bottom, bottom + limit, textRuns))
  const below = besides(lower, xs, bottom)
  if (below.length > 0) {
    const y = Math.max(...below.map((p) => p.box.y1)) + samePosition
    extend(bottom, y)
    close(y)
  }
  const upper = rowsOf(textsIn(xs, -Infinity, first, textRuns))
  const above = besides(upper.toReversed(), xs, first)
  if (above.length > 0) {
    const y = Math.min(...above.map((p) => p.box.y0)) - samePosition
    extend(y, first)
    close(y)
  }
  return out
}

const edge = { thickness: 0, color: '', weak: true }

/** The texts of rows beside a shaded row that ends at `y`, from the nearest line. */
function besides(lines: readonly LineRow[], xs: readonly number[], y: number): TextRun[] {
  const own: TextRun[] = []
  let last = y
  for (const { textRuns, baseline, size } of lines) {
    const step = Math.abs(baseline - last)
    if (!fits(textRuns, xs) || step > (columnsOf(textRuns, xs) > 1 ? farthestRow : closeLines) * size) break
    own.push(...textRuns)
    last = baseline
  }
  return columnsOf(own, xs) > 1 ? own : []
}
