import { type Item, isOperatorItem, scriptSize } from './item.ts'
import { isOnLine } from './parse.ts'

// Items to lines of text. A line has what stands on its baseline, and the smaller signs that hang on that.

export interface MathRow {
  y: number
  size: number
  items: Item[]
}

/** No line of text has a wider gap, in ems. */
const widest = 3
/** Nothing that hangs on a line is further from it, in ems: the limits of a tall sum. */
const farthest = 2.4
/** Sizes are compared to the half point. */
const stepsInPoint = 2
/** A script is not larger than its text, but for rounding. */
const asLarge = 1.05
/** How far scripts are raised and lowered, in ems: beside letters, and beside tall signs. */
const mostRaised = 0.95
const mostLowered = 0.75
const mostRaisedBesideTall = 2.2
const mostLoweredBesideTall = 1.8
/** Right behind a tall sign, in ems. */
const besideTall = 0.6
/** A script begins behind its base or over the end of it: no further back and no further on, in ems. */
const backOver = 1.2
const behind = 0.4
/** Limits of a large sign: beside its middle, above its top and below its foot, in ems. */
const besideSign = 1.8
const aboveSign = 1.1
const belowSign = 1.3
/** Those of a word: below it by about a line, in ems, and beside its middle. */
const belowWord = { from: 0.5, to: 1.1 }
const besideWord = 1.6

export function findMathRows(items: readonly Item[]): MathRow[] {
  const rows: MathRow[] = []
  // Firm ones first: they say where the baselines are.
  const sorted = [...items].sort(
    (a, b) =>
      Math.round(b.size * stepsInPoint) - Math.round(a.size * stepsInPoint) ||
      Number(a.isLoose) - Number(b.isLoose) ||
      a.box.x0 - b.box.x0,
  )
  const big = sorted.filter((i) => isOperatorItem(i))
  for (const item of sorted) {
    const near = rows.filter((r) => Math.abs(r.y - item.y) < farthest * r.size)
    const row =
      closest(
        near.filter((r) => isOnBaseline(item, r) && isNear(item, r, widest)),
        item,
      ) ??
      closest(
        near.filter((r) => isScript(item, r)),
        item,
      ) ??
      closest(
        near.filter((r) => isLimit(item, r, big)),
        item,
      )
    if (row) row.items.push(item)
    else rows.push({ y: item.y, size: item.size, items: [item] })
  }
  for (const row of rows) row.items.sort((a, b) => a.box.x0 - b.box.x0)
  return rows
}

function closest(rows: readonly MathRow[], item: Item): MathRow | undefined {
  let best: MathRow | undefined
  for (const row of rows) if (!best || Math.abs(row.y - item.y) < Math.abs(best.y - item.y)) best = row
  return best
}

const isOnBaseline = (item: Item, row: MathRow): boolean => isOnLine(item, row.y, row.size)

const isNear = (item: Item, row: MathRow, gap: number): boolean =>
  row.items.some((i) => Math.max(i.box.x0 - item.box.x1, item.box.x0 - i.box.x1) < gap * row.size)

function isScript(item: Item, row: MathRow): boolean {
  if (item.size > scriptSize * row.size && !item.isLoose) return false
  if (item.size > asLarge * row.size) return false
  const shift = (item.y - row.y) / row.size
  // Beside a tall sign scripts stand further away.
  const isTall = row.items.some((i) => i.isLoose && Math.abs(i.box.x1 - item.box.x0) < besideTall * row.size)
  if (shift < -(isTall ? mostRaisedBesideTall : mostRaised)) return false
  if (shift > (isTall ? mostLoweredBesideTall : mostLowered)) return false
  return row.items.some((i) => {
    const gap = item.box.x0 - i.box.x1
    return gap > -backOver * row.size && gap < behind * row.size && item.box.x1 > i.box.x0
  })
}

function isLimit(item: Item, row: MathRow, big: readonly Item[]): boolean {
  if (item.size > scriptSize * row.size) return false
  const middle = (item.box.x0 + item.box.x1) / 2
  const overSign = row.items.some(
    (i) =>
      big.includes(i) &&
      Math.abs(middle - (i.box.x0 + i.box.x1) / 2) < besideSign * row.size &&
      item.y > i.box.y0 - aboveSign * row.size &&
      item.y < i.box.y1 + belowSign * row.size,
  )
  if (overSign) return true
  const shift = (item.y - row.y) / row.size
  if (shift < belowWord.from || shift > belowWord.to) return false
  return limitWordAt(row, middle)
}

/** Whether a word such as "lim" stands there. */
function limitWordAt(row: MathRow, x: number): boolean {
  const letters = row.items.filter(
    (i) =>
      Math.abs((i.box.x0 + i.box.x1) / 2 - x) < besideWord * row.size &&
      /^[a-z]$/i.test(i.text) &&
      i.size > scriptSize * row.size,
  )
  const text = letters
    .sort((a, b) => a.box.x0 - b.box.x0)
    .map((i) => i.text)
    .join('')
  return /lim|max|min|sup|inf|det|gcd|Pr/.test(text)
}
