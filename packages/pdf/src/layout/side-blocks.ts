import { elementAt } from '../element-at.ts'
import { median, union } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { isSameLine, sameLine } from '../lines/line-rows.ts'
import {
  clearMajority,
  majority,
  minPattern,
  nearlyAll,
  rounding,
  samePosition,
  shortLine,
} from '../tolerances.ts'
import type { Gutter } from './gutters.ts'
import type { Loose } from './layout.ts'
import { baselineOf, inStep } from './rows.ts'

// Short blocks side by side, as in letters and invoices: two addresses, an address and a list of labels, bank details
// in the footer. They are read block by block. A table of the same shape is read row by row, so a block needs evidence
// that its lines belong together: names, streets and numbers, close below each other.

/** Maximum number of lines in such a block. */
const maxLines = 9
/** Maximum line pitch in ems; rows of a table without rules are farther apart. */
const closeLines = 2.1
/** Minimum gap in ems: wider than any word space. */
const minGap = 1.4
/**
 * If the baselines of both sides coincide, a list of labels is a separate block only at this distance, as a share of
 * the whole width.
 */
const farAway = 0.2
/** Minimum distance to the next line, in ems. */
const nextLine = 0.5

interface Row {
  baseline: number
  size: number
  items: Loose[]
}

export const findSideBlocks = (items: readonly Loose[]): Gutter | undefined =>
  inOneStack(items) ?? besideOthers(items)

function inOneStack(items: readonly Loose[]): Gutter | undefined {
  const others = items.filter((i) => !i.textRun)
  for (const stack of stacksOf(items)) {
    const own = stack.flatMap((r) => r.items)
    const [x0, x1] = [Math.min(...own.map((i) => i.box.x0)), Math.max(...own.map((i) => i.box.x1))]
    const [y0, y1] = [
      Math.min(...own.map((i) => i.box.y0)) - rounding,
      Math.max(...own.map((i) => i.box.y1)) + rounding,
    ]
    if (others.some((o) => o.box.y0 < y1 && o.box.y1 > y0)) continue
    const size = median(stack.map((r) => r.size))
    for (const strip of stripsOf(own, minGap * size)) {
      const left = own.filter((i) => i.box.x1 <= strip.x0 + rounding)
      const right = own.filter((i) => i.box.x0 >= strip.x1 - rounding)
      if (areBlocks(left, right, (strip.x1 - strip.x0) / (x1 - x0)))
        return { ...strip, y0, y1, rows: stack.length }
    }
  }
  return undefined
}

/** A block beside a title or a table that does not share its baselines. */
function besideOthers(items: readonly Loose[]): Gutter | undefined {
  for (const block of columnsOf(items).filter(isBlock)) {
    const box = union(block.map((i) => i.box))
    const size = block[0]?.textRun?.size ?? 0
    const beside = items.filter((i) => !block.includes(i) && i.box.y0 < box.y1 && i.box.y1 > box.y0)
    const isRight = beside.every((i) => i.box.x1 < box.x0)
    if (beside.length === 0 || !(isRight || beside.every((i) => i.box.x0 > box.x1))) continue
    const edge = isRight ? Math.max(...beside.map((i) => i.box.x1)) : Math.min(...beside.map((i) => i.box.x0))
    const strip = isRight ? { x0: edge, x1: box.x0 } : { x0: box.x1, x1: edge }
    if (strip.x1 - strip.x0 < minGap * size) continue
    const texts = beside.filter((i) => i.textRun)
    if (texts.length === 0 || inStep(texts, block) >= majority) continue
    return { ...strip, y0: box.y0 - rounding, y1: box.y1 + rounding, rows: block.length }
  }
  return undefined
}

/** Groups texts with the same left edge that are close below each other. */
function columnsOf(items: readonly Loose[]): Loose[][] {
  const columns: Loose[][] = []
  const texts = items.filter((i) => i.textRun).sort((a, b) => baselineOf(a) - baselineOf(b))
  const reach = closeLines * Math.max(0, ...texts.map((i) => i.textRun?.size ?? 0))
  /** Columns that another line may still be added to. */
  let open: Loose[][] = []
  for (const item of texts) {
    const { size } = item.textRun as TextRun
    const above = (column: Loose[]): number => baselineOf(item) - baselineOf(elementAt(column, -1))
    open = open.filter((c) => above(c) < reach)
    const host = open.find(
      (c) =>
        Math.abs(elementAt(c, -1).box.x0 - item.box.x0) < samePosition &&
        above(c) > nextLine * size &&
        above(c) < closeLines * size,
    )
    if (host) host.push(item)
    else {
      columns.push([item])
      open.push(elementAt(columns, -1))
    }
  }
  return columns
}

/** Groups adjacent lines with a constant pitch. */
function stacksOf(items: readonly Loose[]): Row[][] {
  const rows: Row[] = []
  const textRuns = items.flatMap((i) => (i.textRun ? [{ item: i, textRun: i.textRun }] : []))
  for (const { item, textRun } of textRuns.sort((a, b) => a.textRun.baseline - b.textRun.baseline)) {
    const last = rows.at(-1)
    if (last && isSameLine(last, textRun)) last.items.push(item)
    else rows.push({ baseline: textRun.baseline, size: textRun.size, items: [item] })
  }
  const stacks: Row[][] = []
  for (const row of rows) {
    const last = stacks.at(-1)
    const above = last?.at(-1)
    if (last && above && row.baseline - above.baseline < closeLines * Math.min(row.size, above.size))
      last.push(row)
    else stacks.push([row])
  }
  return stacks.filter((s) => s.length >= minPattern && s.filter((r) => r.items.length > 1).length >= 2)
}

/** Vertical strips that no line of the stack crosses. */
function stripsOf(items: readonly Loose[], minWidth: number): { x0: number; x1: number }[] {
  const out: { x0: number; x1: number }[] = []
  let edge = -Infinity
  for (const { box } of items.toSorted((a, b) => a.box.x0 - b.box.x0)) {
    if (edge > -Infinity && box.x0 - edge >= minWidth) out.push({ x0: edge, x1: box.x0 })
    edge = Math.max(edge, box.x1)
  }
  return out
}

const textOf = (i: Loose): string => i.textRun?.text ?? ''
const withDigits = (items: readonly Loose[]): number =>
  items.filter((i) => /\d/.test(textOf(i))).length / Math.max(1, items.length)

function areBlocks(left: readonly Loose[], right: readonly Loose[], gap: number): boolean {
  const sides = [left, right]
  if (!sides.some(isBlock)) return false
  if (sides.every(holdsBlocks)) return true
  const list = sides.find((s) => !isBlock(s)) as readonly Loose[]
  if (!isLabelled(list)) return false
  const block = sides.find(isBlock) as readonly Loose[]
  return inStep(block, list) < majority || gap > farAway
}

/** One block, or several side by side. */
function holdsBlocks(items: readonly Loose[]): boolean {
  if (isBlock(items)) return true
  return stripsOf(items, minGap * (items[0]?.textRun?.size ?? 0)).some(({ x0, x1 }) => {
    const left = items.filter((i) => i.box.x1 <= x0 + rounding)
    return isBlock(left) && holdsBlocks(items.filter((i) => i.box.x0 >= x1 - rounding))
  })
}

/**
 * Lines with the same left edge and without gaps, some with digits and some without; not a list of labels or amounts.
 */
function isBlock(items: readonly Loose[]): boolean {
  const lines = linesOf(items)
  const edges = lines.map((l) => l.x0)
  const share = lines.filter((l) => /\d/.test(l.text)).length / lines.length
  return (
    lines.length >= minPattern &&
    lines.length <= maxLines &&
    Math.max(...edges) - Math.min(...edges) < samePosition &&
    share > 0 &&
    share <= nearlyAll &&
    lines.filter((l) => /:$/.test(l.text.trim())).length < majority * lines.length &&
    lines.every((l) => !l.parted && l.text.length < shortLine)
  )
}

interface Line {
  x0: number
  x1: number
  baseline: number
  size: number
  text: string
  /** Has a gap that is wider than a word space. */
  parted: boolean
}

function linesOf(items: readonly Loose[]): Line[] {
  const out: Line[] = []
  for (const item of items.toSorted((a, b) => baselineOf(a) - baselineOf(b) || a.box.x0 - b.box.x0)) {
    const baseline = baselineOf(item)
    const size = item.textRun?.size ?? 0
    const last = out.at(-1)
    if (last && isSameLine(last, { baseline, size })) {
      const gap = Math.max(item.box.x0 - last.x1, last.x0 - item.box.x1)
      last.parted ||= gap > minGap * size
      last.x0 = Math.min(last.x0, item.box.x0)
      last.x1 = Math.max(last.x1, item.box.x1)
      last.text += ` ${textOf(item)}`
    } else out.push({ x0: item.box.x0, x1: item.box.x1, baseline, size, text: textOf(item), parted: false })
  }
  return out
}

/** Labels without digits, followed by values. */
function isLabelled(items: readonly Loose[]): boolean {
  const left = Math.min(...items.map((i) => i.box.x0))
  const labels = items.filter((i) => i.box.x0 < left + samePosition)
  const values = items.filter((i) => !labels.includes(i))
  return (
    labels.length >= 2 &&
    values.length >= clearMajority * labels.length &&
    withDigits(labels) === 0 &&
    withDigits(values) >= majority &&
    values.every((v) => labels.some((l) => Math.abs(baselineOf(l) - baselineOf(v)) < sameLine))
  )
}
