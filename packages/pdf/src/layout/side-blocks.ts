import { elementAt } from '../element-at.ts'
import { median, union } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { isSameLine, sameLine } from '../lines/line-rows.ts'
import { clearMajority, majority, minPattern, nearlyAll, rounding, samePosition } from '../tolerances.ts'
import type { Gutter } from './gutters.ts'
import { baselineOf, inStep } from './in-step.ts'
import type { Loose } from './layout.ts'

// Short blocks side by side, as letters and invoices have them: two addresses, an address and a list of labels, bank
// details at the foot. They are read block by block. A table of the same shape is read row by row, so a block must
// show that its lines belong together: names, streets, numbers, one under the other and close.

/** Lines of such a block. */
const most = 9
/** From line to line, in ems; rows of a table without rules stand farther apart. */
const closeLines = 2.1
/** Wider than any space between words, in ems. */
const minGap = 1.4
/** Characters of a line; more is running text. */
const longest = 60
/** Where the lines of both sides are in step, a list of labels is another block only this far away, of the whole width. */
const farAway = 0.2
/** The next line is further away, in ems. */
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

/** A block with a title or a table at its side, whose lines are not in step with its own. */
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

/** Texts from one left edge, one close under the other. */
function columnsOf(items: readonly Loose[]): Loose[][] {
  const columns: Loose[][] = []
  const texts = items.filter((i) => i.textRun).sort((a, b) => baselineOf(a) - baselineOf(b))
  const reach = closeLines * Math.max(0, ...texts.map((i) => i.textRun?.size ?? 0))
  /** Those that a line may still come under. */
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

/** Lines one under the other without a gap, as long as they keep their distance. */
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

/** What no line of the stack crosses. */
function stripsOf(items: readonly Loose[], least: number): { x0: number; x1: number }[] {
  const out: { x0: number; x1: number }[] = []
  let edge = -Infinity
  for (const { box } of items.toSorted((a, b) => a.box.x0 - b.box.x0)) {
    if (edge > -Infinity && box.x0 - edge >= least) out.push({ x0: edge, x1: box.x0 })
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

/** A block, or several side by side. */
function holdsBlocks(items: readonly Loose[]): boolean {
  if (isBlock(items)) return true
  return stripsOf(items, minGap * (items[0]?.textRun?.size ?? 0)).some(({ x0, x1 }) => {
    const left = items.filter((i) => i.box.x1 <= x0 + rounding)
    return isBlock(left) && holdsBlocks(items.filter((i) => i.box.x0 >= x1 - rounding))
  })
}

/** Lines from one left edge, no gap in them; some with digits, some without; no list of labels or amounts. */
function isBlock(items: readonly Loose[]): boolean {
  const lines = linesOf(items)
  const edges = lines.map((l) => l.x0)
  const share = lines.filter((l) => /\d/.test(l.text)).length / lines.length
  return (
    lines.length >= minPattern &&
    lines.length <= most &&
    Math.max(...edges) - Math.min(...edges) < samePosition &&
    share > 0 &&
    share <= nearlyAll &&
    lines.filter((l) => /:$/.test(l.text.trim())).length < majority * lines.length &&
    lines.every((l) => !l.parted && l.text.length < longest)
  )
}

interface Line {
  x0: number
  x1: number
  baseline: number
  size: number
  text: string
  /** There is a gap in it that is wider than between words. */
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

/** Labels without digits, and values behind them. */
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
