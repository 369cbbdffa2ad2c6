import { union } from '../geometry.ts'
import { apart, attached, type Item, isOperatorItem, sameLine, scriptSize } from './item.ts'
import { belowWord, besideSign, isOnLine, middlesOf, underSign } from './parse.ts'

// Groups items into lines of text. A line has the symbols on its baseline and the smaller ones attached to them.

export interface MathRow {
  y: number
  size: number
  items: Item[]
}

/** Maximum gap within a line of text, in ems. */
const widest = 3
/** Maximum distance of an attached symbol from its line, in ems: the limits of a tall sum. */
const farthest = 2.4
/** Maximum vertical shift of scripts, in ems: beside letters, and beside tall symbols. */
const maxShift = 0.9
const maxShiftBesideTall = 2
/** A script may begin over its base, by this in ems. */
const backOver = 1.2

export function findMathRows(items: readonly Item[]): MathRow[] {
  const rows: MathRow[] = []
  const ranks = ranksOf(items.map((i) => i.size))
  const rankOf = (i: Item): number => ranks.get(i.size) ?? 0
  // Items with a known baseline first: they define the rows.
  const sorted = [...items].sort(
    (a, b) => rankOf(a) - rankOf(b) || Number(a.isLoose) - Number(b.isLoose) || a.box.x0 - b.box.x0,
  )
  const big = new Set(sorted.filter((i) => isOperatorItem(i)))
  const middles = big.size > 0 ? middlesOf(sorted.filter((i) => !big.has(i))) : new Map<Item, number>()
  const isLimit = (item: Item, row: MathRow): boolean => isLimitOf(item, row, big, middles)
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
        near.filter((r) => isLimit(item, r)),
        item,
      )
    if (row) row.items.push(item)
    else rows.push({ y: item.y, size: item.size, items: [item] })
  }
  return joinRows(rows)
}

/** Merges rows whose letters are separated by tall symbols between them. */
function joinRows(rows: readonly MathRow[]): MathRow[] {
  const byStart = rows
    .map((row) => ({ row, ...union(row.items.map((i) => i.box)) }))
    .sort((a, b) => a.x0 - b.x0)
  const out: typeof byStart = []
  for (const own of byStart) {
    const { y, size } = own.row
    const before = out.findLast(
      (o) =>
        Math.abs(o.row.y - y) < sameLine * size &&
        Math.abs(o.row.size - size) < (1 - scriptSize) * size &&
        own.x0 - o.x1 < widest * size,
    )
    if (before) {
      before.row.items.push(...own.row.items)
      before.x1 = Math.max(before.x1, own.x1)
    } else out.push({ ...own, row: { ...own.row, items: [...own.row.items] } })
  }
  for (const { row } of out) row.items.sort((a, b) => a.box.x0 - b.box.x0)
  return out.map((o) => o.row)
}

/** Ranks sizes from largest to smallest; sizes that hardly differ share a rank. */
function ranksOf(sizes: readonly number[]): ReadonlyMap<number, number> {
  const ranks = new Map<number, number>()
  let rank = 0
  let largest = Infinity
  for (const size of [...new Set(sizes)].sort((a, b) => b - a)) {
    if (size < scriptSize * largest) {
      rank++
      largest = size
    }
    ranks.set(size, rank)
  }
  return ranks
}

const middleOf = (i: Item): number => (i.box.x0 + i.box.x1) / 2

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
  const shift = (item.y - row.y) / row.size
  // Beside a tall symbol, scripts are farther away.
  const isTall = row.items.some((i) => i.isLoose && Math.abs(i.box.x1 - item.box.x0) < apart * row.size)
  if (Math.abs(shift) > (isTall ? maxShiftBesideTall : maxShift)) return false
  return row.items.some((i) => {
    const gap = item.box.x0 - i.box.x1
    return gap > -backOver * row.size && gap < attached * row.size && item.box.x1 > i.box.x0
  })
}

function isLimitOf(
  item: Item,
  row: MathRow,
  big: ReadonlySet<Item>,
  middles: ReadonlyMap<Item, number>,
): boolean {
  if (item.size > scriptSize * row.size) return false
  const middle = middleOf(item)
  const overSign = row.items.some(
    (i) =>
      big.has(i) &&
      (Math.abs(middle - middleOf(i)) < besideSign * row.size ||
        Math.abs((middles.get(item) ?? Infinity) - middleOf(i)) < underSign * row.size),
  )
  if (overSign) return true
  const shift = (item.y - row.y) / row.size
  if (shift < belowWord.from || shift > belowWord.to) return false
  return limitWordAt(row, middle)
}

/** Whether there is a word such as "lim" at this position. */
function limitWordAt(row: MathRow, x: number): boolean {
  const letters = row.items.filter(
    (i) =>
      Math.abs((i.box.x0 + i.box.x1) / 2 - x) < besideSign * row.size &&
      /^[a-z]$/i.test(i.text) &&
      i.size > scriptSize * row.size,
  )
  const text = letters
    .sort((a, b) => a.box.x0 - b.box.x0)
    .map((i) => i.text)
    .join('')
  return /lim|max|min|sup|inf|det|gcd|Pr/.test(text)
}
