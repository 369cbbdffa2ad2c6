import { elementAt } from '../element-at.ts'
import { grow, median, overlapY, union, width } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { isSameLine, type LineRow, rowsOf, sameLine } from '../lines/line-rows.ts'
import {
  clearMajority,
  majority,
  minPattern,
  nearlyAll,
  rounding,
  samePosition,
  several,
  shortLine,
} from '../tolerances.ts'
import type { Gutter } from './gutters.ts'
import { inStep, type Loose, textRunsIn } from './rows.ts'

// Short blocks side by side, as in letters and invoices: two addresses, an address and a list of labels, bank details
// in the footer. They are read block by block. A table of the same shape is read row by row, so a block needs evidence
// that its lines belong together: names, streets and numbers, close below each other.

/** Maximum number of lines in such a block. */
const maxLines = 9
/** Maximum line pitch in ems; rows of a table without rules are farther apart. */
const closeLines = 2.1
/** Minimum gap in ems: wider than any word space. */
const minGap = 1.4
/** With shared baselines, labels are a separate block only at this distance, as a share of the whole width. */
const farAway = 0.2
/** Minimum distance to the next line, in ems. */
const nextLine = 0.5

export function findSideBlocks(items: readonly Loose[]): Gutter | undefined {
  const texts = textRunsIn(items)
  return inOneStack(items, texts) ?? besideOthers(items, texts) ?? besideBox(items)
}

/** Lines beside a frame with text: a panel of a leaflet, a side bar. */
function besideBox(items: readonly Loose[]): Gutter | undefined {
  for (const frame of items.filter(({ table }) => table?.cells.length === 1)) {
    const { x0, x1, y0, y1 } = frame.box
    const beside = items.filter((i) => i !== frame && i.box.y0 < y1 && i.box.y1 > y0)
    const rows = textRunsIn(beside).length
    if (rows < several) continue
    const own = union(beside.map((i) => i.box))
    if (own.x1 <= x0) return { x0: own.x1, x1: x0, y0, y1, rows }
    if (own.x0 >= x1) return { x0: x1, x1: own.x0, y0, y1, rows }
  }
  return undefined
}

function inOneStack(items: readonly Loose[], texts: readonly TextRun[]): Gutter | undefined {
  const others = items.filter((i) => !i.textRun)
  for (const stack of stacksOf(texts)) {
    const own = stack.flatMap((r) => r.textRuns)
    const box = grow(union(own.map((p) => p.box)), rounding)
    if (others.some((o) => overlapY(o.box, box) > 0)) continue
    const size = median(stack.map((r) => r.size))
    for (const { x0, x1 } of stripsOf(own, minGap * size)) {
      const left = own.filter((p) => p.box.x1 <= x0 + rounding)
      const right = own.filter((p) => p.box.x0 >= x1 - rounding)
      if (areBlocks(left, right, (x1 - x0) / (width(box) - 2 * rounding)))
        return { x0, x1, y0: box.y0, y1: box.y1, rows: stack.length }
    }
  }
  return undefined
}

/** A block beside a title or a table that does not share its baselines. */
function besideOthers(items: readonly Loose[], texts: readonly TextRun[]): Gutter | undefined {
  for (const block of columnsOf(texts).filter(isBlock)) {
    const box = union(block.map((p) => p.box))
    const beside = items.filter(
      (i) => !(i.textRun && block.includes(i.textRun)) && i.box.y0 < box.y1 && i.box.y1 > box.y0,
    )
    const isRight = beside.every((i) => i.box.x1 < box.x0)
    if (beside.length === 0 || !(isRight || beside.every((i) => i.box.x0 > box.x1))) continue
    const edge = isRight ? Math.max(...beside.map((i) => i.box.x1)) : Math.min(...beside.map((i) => i.box.x0))
    const strip = isRight ? { x0: edge, x1: box.x0 } : { x0: box.x1, x1: edge }
    if (strip.x1 - strip.x0 < minGap * elementAt(block, 0).size) continue
    const others = beside.flatMap((i) => i.textRun ?? [])
    const onLines = others.filter((o) => block.some((b) => isSameLine(o, b)))
    if (others.length === 0 || onLines.length >= majority * others.length) continue
    return { ...strip, y0: box.y0 - rounding, y1: box.y1 + rounding, rows: block.length }
  }
  return undefined
}

/** Groups texts with the same left edge that are close below each other. */
function columnsOf(texts: readonly TextRun[]): TextRun[][] {
  const columns: TextRun[][] = []
  const reach = closeLines * Math.max(0, ...texts.map((p) => p.size))
  /** Columns that another line may still be added to. */
  let open: TextRun[][] = []
  for (const text of texts.toSorted((a, b) => a.baseline - b.baseline)) {
    const above = (column: TextRun[]): number => text.baseline - elementAt(column, -1).baseline
    open = open.filter((c) => above(c) < reach)
    const host = open.find(
      (c) =>
        Math.abs(elementAt(c, -1).box.x0 - text.box.x0) < samePosition &&
        above(c) > nextLine * text.size &&
        above(c) < closeLines * text.size,
    )
    if (host) host.push(text)
    else {
      columns.push([text])
      open.push(elementAt(columns, -1))
    }
  }
  return columns
}

/** Groups adjacent lines with a constant pitch. */
function stacksOf(texts: readonly TextRun[]): LineRow[][] {
  const stacks: LineRow[][] = []
  for (const row of rowsOf(texts)) {
    const last = stacks.at(-1)
    const above = last?.at(-1)
    if (last && above && row.baseline - above.baseline < closeLines * Math.min(row.size, above.size))
      last.push(row)
    else stacks.push([row])
  }
  return stacks.filter((s) => s.length >= minPattern && s.filter((r) => r.textRuns.length > 1).length >= 2)
}

/** Vertical strips that no text crosses. */
function stripsOf(texts: readonly TextRun[], minWidth: number): { x0: number; x1: number }[] {
  const out: { x0: number; x1: number }[] = []
  let edge = -Infinity
  for (const { box } of texts.toSorted((a, b) => a.box.x0 - b.box.x0)) {
    if (edge > -Infinity && box.x0 - edge >= minWidth) out.push({ x0: edge, x1: box.x0 })
    edge = Math.max(edge, box.x1)
  }
  return out
}

const withDigits = (texts: readonly { text: string }[]): number =>
  texts.filter(({ text }) => /\d/.test(text)).length / Math.max(1, texts.length)

function areBlocks(left: readonly TextRun[], right: readonly TextRun[], gap: number): boolean {
  const sides = [left, right]
  if (!sides.some(isBlock)) return false
  if (sides.every(holdsBlocks)) return true
  const list = sides.find((s) => !isBlock(s)) as readonly TextRun[]
  if (!isLabelled(list)) return false
  const block = sides.find(isBlock) as readonly TextRun[]
  return inStep(block, list) < majority || gap > farAway
}

/** One block, or several side by side. */
function holdsBlocks(texts: readonly TextRun[]): boolean {
  if (isBlock(texts)) return true
  return stripsOf(texts, minGap * (texts[0]?.size ?? 0)).some(({ x0, x1 }) => {
    const left = texts.filter((p) => p.box.x1 <= x0 + rounding)
    return isBlock(left) && holdsBlocks(texts.filter((p) => p.box.x0 >= x1 - rounding))
  })
}

/** Lines with the same left edge, without gaps, some of them with digits; not a list of labels or amounts. */
function isBlock(texts: readonly TextRun[]): boolean {
  const rows = rowsOf(texts)
  if (rows.length < minPattern || rows.length > maxLines) return false
  const lines = rows.map(({ textRuns }) => ({ text: textRuns.map((p) => p.text).join(' ') }))
  const edges = rows.map(({ textRuns }) => elementAt(textRuns, 0).box.x0)
  const share = withDigits(lines)
  return (
    Math.max(...edges) - Math.min(...edges) < samePosition &&
    share > 0 &&
    share <= nearlyAll &&
    lines.filter(({ text }) => /:$/.test(text.trim())).length < majority * lines.length &&
    lines.every(({ text }) => text.length < shortLine) &&
    rows.every(({ textRuns, size }) => stripsOf(textRuns, minGap * size).length === 0)
  )
}

/** Labels without digits, followed by values. */
function isLabelled(texts: readonly TextRun[]): boolean {
  const left = Math.min(...texts.map((p) => p.box.x0))
  const labels = texts.filter((p) => p.box.x0 < left + samePosition)
  const values = texts.filter((p) => !labels.includes(p))
  return (
    labels.length >= 2 &&
    values.length >= clearMajority * labels.length &&
    withDigits(labels) === 0 &&
    withDigits(values) >= majority &&
    values.every((v) => labels.some((l) => Math.abs(l.baseline - v.baseline) < sameLine))
  )
}
