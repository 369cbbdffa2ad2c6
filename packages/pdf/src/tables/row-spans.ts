import { elementAt } from '../element-at.ts'
import { firstFrom } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import type { Rule } from '../read/page.ts'
import { majority, rounding, sizeableShare } from '../tolerances.ts'
import { usualSize } from '../typography.ts'
import { type OpenRow, type PlacedText, stepOf } from './open-rows.ts'
import type { Interval } from './strips.ts'
import { minStep } from './strips.ts'

// A text centred on several rows spans them: it is halfway between two baselines, or on that of the middle row while
// the cells above and below it are empty.

export interface SpannedText extends PlacedText {
  row: number
  rows: number
}

/** Baselines of rows are at least an em apart; closer text is between rows. One neighbour may be close by rounding. */
const between = 1
/** Names of groups of rows are in the first columns. */
const stubColumns = 2

export function withSpans(
  rows: readonly OpenRow[],
  columns: readonly Interval[],
  rules: readonly Rule[],
): { rows: OpenRow[]; texts: SpannedText[] } {
  const floating = rows.filter((_, i) => floats(rows, i))
  const kept = rows.filter((r) => !floating.includes(r))
  if (kept.length === 0) return { rows: [...rows], texts: [] }
  const texts: SpannedText[] = kept.flatMap((row, i) => row.texts.map((t) => ({ ...t, row: i, rows: 1 })))
  const step = stepOf(kept)
  for (const [c, column] of columns.entries()) {
    const loose = floating.flatMap((row) =>
      row.texts.filter((t) => t.from === c).map((text) => ({ text, at: row.baseline })),
    )
    for (const block of blocksOf(kept, column, rules))
      spanBlock(
        c,
        block.rows,
        texts,
        loose.filter((l) => l.at >= block.y0 && l.at < block.y1),
        kept,
        step,
      )
  }
  return { rows: kept, texts }
}

/**
 * Whether the text is too close to a neighbour to be a separate row and has no column in common with it. Of two that
 * are close, it is the one with rows on both sides.
 */
function floats(rows: readonly OpenRow[], i: number): boolean {
  const isMiddle = (k: number): boolean => isBetween(rows, k)
  return (
    isMiddle(i) ||
    ([-1, 1].some((side) => isCloseTo(rows, i, side, minStep)) && !isMiddle(i - 1) && !isMiddle(i + 1))
  )
}

const isBetween = (rows: readonly OpenRow[], i: number): boolean =>
  isCloseTo(rows, i, -1, between) && isCloseTo(rows, i, 1, between)

function isCloseTo(rows: readonly OpenRow[], i: number, side: number, within: number): boolean {
  const [row, other] = [rows[i], rows[i + side]]
  if (!row || !other) return false
  const size = row.texts[0]?.textRuns[0]?.size ?? usualSize
  return (
    Math.abs(other.baseline - row.baseline) < within * size &&
    other.texts.length >= row.texts.length &&
    row.texts.every((t) => other.texts.every((o) => o.to < t.from || o.from > t.to))
  )
}

interface Block {
  rows: number[]
  y0: number
  y1: number
}

/** Consecutive rows between rules along the column. */
function blocksOf(rows: readonly OpenRow[], [a, b]: Interval, rules: readonly Rule[]): Block[] {
  const own = rules.filter((r) => Math.min(r.to, b) - Math.max(r.from, a) > majority * (b - a))
  const out: Block[] = []
  for (const [i, row] of rows.entries()) {
    const above = rows[i - 1]
    const rule = above && own.find((r) => r.at > above.baseline - rounding && r.at < row.baseline)
    const last = out.at(-1)
    if (last && !rule) last.rows.push(i)
    else {
      if (last && rule) last.y1 = rule.at
      out.push({ rows: [i], y0: rule?.at ?? -Infinity, y1: Infinity })
    }
  }
  return out
}

interface LooseText {
  text: PlacedText
  at: number
}

function spanBlock(
  column: number,
  block: readonly number[],
  texts: SpannedText[],
  loose: readonly LooseText[],
  rows: readonly OpenRow[],
  step: number,
): void {
  const baselineOf = (i: number): number => elementAt(rows, i).baseline
  const [first = 0, last = first] = [block[0], block.at(-1)]
  const fixed = texts.filter((t) => t.from === column && t.row >= first && t.row <= last)
  const head = first === 0
  const all = [...loose, ...fixed.map((t) => ({ text: t as PlacedText, at: baselineOf(t.row) }))].sort(
    (a, b) => a.at - b.at,
  )
  if (all.length === 0 || (loose.length === 0 && column >= stubColumns && !head)) return
  const shares: number[][] = all.map(() => [])
  const places = all.map(({ at }) => at)
  for (const i of block) shares[nearestTo(places, baselineOf(i))]?.push(i)
  const free = (i: number, { from, to }: PlacedText): boolean =>
    !texts.some((t) => t.row === i && !all.some((o) => o.text === t) && t.from <= to && t.to >= from)
  const centred = all.every(({ text, at }, k) => {
    const own = shares[k] as number[]
    if (own.length === 0) return false
    const [top, bottom] = [baselineOf(elementAt(own, 0)), baselineOf(elementAt(own, -1))]
    const pace = own.length > 1 ? Math.min(step, (bottom - top) / (own.length - 1)) : step
    const isMiddle = Math.abs(at - (top + bottom) / 2) < sizeableShare * pace + rounding
    return isMiddle && own.every((i) => free(i, text))
  })
  if (centred && block.length > all.length)
    for (const [k, { text }] of all.entries()) {
      const own = shares[k] as number[]
      const place = { row: own[0] as number, rows: own.length }
      const known = texts.find((t) => t === text)
      if (known) Object.assign(known, place)
      else texts.push({ ...text, ...place })
    }
  else for (const { text, at } of loose) addToNearest(text, at, block, texts, baselineOf)
}

/** The first of the nearest positions in a sorted list. */
function nearestTo(places: readonly number[], y: number): number {
  const next = firstFrom(places, y)
  const before = places[next - 1] ?? -Infinity
  return y - before <= (places[next] ?? Infinity) - y ? firstFrom(places, before) : next
}

function addToNearest(
  text: PlacedText,
  at: number,
  block: readonly number[],
  texts: SpannedText[],
  baselineOf: (i: number) => number,
): void {
  const row = block.reduce((best, i) =>
    Math.abs(baselineOf(i) - at) < Math.abs(baselineOf(best) - at) ? i : best,
  )
  const there = texts.find((t) => t.row === row && t.from <= text.to && t.to >= text.from)
  const inOrder = (textRuns: TextRun[]): TextRun[] => textRuns.sort((a, b) => a.baseline - b.baseline)
  if (there) there.textRuns = inOrder([...there.textRuns, ...text.textRuns])
  else texts.push({ ...text, row, rows: 1 })
}
