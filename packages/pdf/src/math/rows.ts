import { type Item, isOperatorItem } from './item.ts'
import { isOnLine } from './parse.ts'

// Items to lines of text. A line has what stands on its baseline, and the smaller signs that hang on that.

export interface MathRow {
  y: number
  size: number
  items: Item[]
}

/** No line of text has a wider gap, in ems. */
const widest = 3
const scriptSize = 0.87

export function findMathRows(items: readonly Item[]): MathRow[] {
  const rows: MathRow[] = []
  // Firm ones first: they say where the baselines are.
  const sorted = [...items].sort(
    (a, b) =>
      Math.round(b.size * 2) - Math.round(a.size * 2) ||
      Number(a.isLoose) - Number(b.isLoose) ||
      a.box.x0 - b.box.x0,
  )
  const big = sorted.filter((i) => isOperatorItem(i))
  for (const item of sorted) {
    const near = rows.filter((r) => Math.abs(r.y - item.y) < 2.4 * r.size)
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
  if (item.size > 1.05 * row.size) return false
  const shift = (item.y - row.y) / row.size
  // Beside a tall sign scripts stand further away.
  const isTall = row.items.some((i) => i.isLoose && Math.abs(i.box.x1 - item.box.x0) < 0.6 * row.size)
  if (shift < (isTall ? -2.2 : -0.95) || shift > (isTall ? 1.8 : 0.75)) return false
  return row.items.some((i) => {
    const gap = item.box.x0 - i.box.x1
    return gap > -1.2 * row.size && gap < 0.4 * row.size && item.box.x1 > i.box.x0
  })
}

function isLimit(item: Item, row: MathRow, big: readonly Item[]): boolean {
  if (item.size > scriptSize * row.size) return false
  const middle = (item.box.x0 + item.box.x1) / 2
  const overSign = row.items.some(
    (i) =>
      big.includes(i) &&
      Math.abs(middle - (i.box.x0 + i.box.x1) / 2) < 1.8 * row.size &&
      item.y > i.box.y0 - 1.1 * row.size &&
      item.y < i.box.y1 + 1.3 * row.size,
  )
  if (overSign) return true
  const shift = (item.y - row.y) / row.size
  if (shift < 0.5 || shift > 1.1) return false
  return limitWordAt(row, middle)
}

/** Whether a word such as "lim" stands there. */
function limitWordAt(row: MathRow, x: number): boolean {
  const letters = row.items.filter(
    (i) =>
      Math.abs((i.box.x0 + i.box.x1) / 2 - x) < 1.6 * row.size &&
      /^[a-z]$/i.test(i.text) &&
      i.size > scriptSize * row.size,
  )
  const text = letters
    .sort((a, b) => a.box.x0 - b.box.x0)
    .map((i) => i.text)
    .join('')
  return /lim|max|min|sup|inf|det|gcd|Pr/.test(text)
}
