import { elementAt } from '../element-at.ts'
import { majority, minPattern, rounding, several, surePattern } from '../tolerances.ts'
import { areApart, columnBeside, minGutterWidth, sideOf } from './column-sides.ts'
import { inStep, type Loose, type Row, rowsOf, textRunsIn } from './rows.ts'

// A gutter is a vertical strip that no text crosses, with running text on both sides. Short texts with shared baselines
// are a table or a form, not columns.

export interface Gutter {
  x0: number
  x1: number
  y0: number
  y1: number
  rows: number
}

export function findGutter(items: readonly Loose[], barriers: readonly number[] = []): Gutter | undefined {
  const rows = rowsOf(items)
  if (rows.length < minPattern) return undefined
  const tried: { x0: number; x1: number; first: number; last: number }[] = []
  let best: Gutter | undefined
  for (const [r, row] of rows.entries()) {
    const sorted = [...row.items].sort((a, b) => a.box.x0 - b.box.x0)
    for (let i = 1; i < sorted.length; i++) {
      const gap = { x0: elementAt(sorted, i - 1).box.x1, x1: elementAt(sorted, i).box.x0 }
      if (gap.x1 - gap.x0 < minGutterWidth) continue
      if (tried.some((t) => r >= t.first && r <= t.last && t.x0 >= gap.x0 - 1 && t.x1 <= gap.x1 + 1)) continue
      const found = extend(rows, r, gap, items, { barriers, isPainted: false })
      tried.push(found)
      // A table below columns may have a gap at the same position: a table is painted row by row, columns one after the
      // other.
      const gutter =
        judge(rows, found) ?? judge(rows, extend(rows, r, gap, items, { barriers, isPainted: true }))
      if (gutter && (!best || gutter.rows > best.rows)) best = gutter
    }
  }
  return best
}

/** Extends the strip up and down until an item crosses it or the right side is painted before the left one. */
function extend(
  rows: readonly Row[],
  from: number,
  gap: { x0: number; x1: number },
  items: readonly Loose[],
  { barriers, isPainted }: { barriers: readonly number[]; isPainted: boolean },
): { x0: number; x1: number; first: number; last: number } {
  let { x0, x1 } = gap
  let [lastLeft, firstRight] = [-Infinity, Infinity]
  const isInTurn = (row: Row, at: number): boolean => {
    for (const { box, textRun } of row.items) {
      if (box.x1 <= at) lastLeft = Math.max(lastLeft, textRun?.order ?? 0)
      else firstRight = Math.min(firstRight, textRun?.order ?? Infinity)
    }
    return lastLeft < firstRight
  }
  if (isPainted) isInTurn(elementAt(rows, from), (x0 + x1) / 2)
  let first = from
  let last = from
  const narrowed = (row: Row): boolean => {
    let a = x0
    let b = x1
    for (const { box } of row.items) {
      // Text that extends into the strip from one side makes it narrower.
      if (box.x0 <= a) a = Math.max(a, box.x1)
      else b = Math.min(b, box.x0)
    }
    if (b - a < minGutterWidth || (isPainted && !isInTurn(row, (a + b) / 2))) return false
    x0 = a
    x1 = b
    return true
  }
  // Tall items beside many rows cross the strip in every row that they overlap.
  const tall = items.filter((i) => !i.textRun)
  const blocked = (row: Row): boolean =>
    tall.some((t) => t.box.y0 < row.y1 && t.box.y1 > row.y0 && t.box.x0 < x1 - 1 && t.box.x1 > x0 + 1)
  const parted = (upper: Row, lower: Row): boolean =>
    barriers.some((y) => y > (upper.y0 + upper.y1) / 2 && y < (lower.y0 + lower.y1) / 2)
  for (let r = from + 1; r < rows.length; r++) {
    const row = elementAt(rows, r)
    if (parted(elementAt(rows, r - 1), row) || blocked(row) || !narrowed(row)) break
    last = r
  }
  for (let r = from - 1; r >= 0; r--) {
    const row = elementAt(rows, r)
    if (parted(row, elementAt(rows, r + 1)) || blocked(row) || !narrowed(row)) break
    first = r
  }
  return { x0, x1, first, last }
}

function judge(
  rows: readonly Row[],
  strip: { x0: number; x1: number; first: number; last: number },
): Gutter | undefined {
  const { first, last } = strip
  const at = (strip.x0 + strip.x1) / 2
  const bothSides = (row: Row): boolean =>
    row.items.some((i) => i.box.x1 <= at) && row.items.some((i) => i.box.x0 >= at)
  const within = rows.slice(first, last + 1)
  const shared = within.filter(bothSides).length
  const all = within.flatMap((r) => r.items)
  const leftItems = all.filter((i) => i.box.x1 <= at + rounding)
  const rightItems = all.filter((i) => i.box.x0 >= at - rounding)
  if (leftItems.length === 0 || rightItems.length === 0) return undefined
  const left = sideOf(columnBeside(leftItems, 'left'))
  const right = sideOf(columnBeside(rightItems, 'right'))
  if (shared < minPattern) return undefined
  const bothProse = left.prose && right.prose && left.lines >= surePattern && right.lines >= surePattern
  // A sidebar has its own baseline grid; a form or a table shares the one beside it.
  const [sparse, full] = left.prose ? [right, left] : [left, right]
  const sidebar =
    left.prose !== right.prose &&
    sparse.lines >= surePattern &&
    full.lines >= several &&
    inStep(textRunsIn(left.prose ? rightItems : leftItems), full.textRuns) < majority
  if (!bothProse && !sidebar && !areApart(left, right)) return undefined
  const y0 = elementAt(rows, first).y0 - rounding
  const y1 = Math.max(...rows.slice(first, last + 1).map((r) => r.y1)) + rounding
  return { x0: strip.x0, x1: strip.x1, y0, y1, rows: shared }
}
