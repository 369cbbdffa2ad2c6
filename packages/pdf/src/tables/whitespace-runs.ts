import { elementAt } from '../element-at.ts'
import { median } from '../geometry.ts'
import type { LineRow } from '../lines/line-rows.ts'
import { clearMajority, majority, rounding, surePattern } from '../tolerances.ts'
import { headLines, type Interval, withFloating } from './strips.ts'

// Columns of a region: the intervals between vertical whitespace runs through its rows. A heading over several columns
// crosses such runs, so a few lines may cross them.

/** Maximum share of the lines that may cross a run. */
const crossing = 0.12
/** Minimum number of rows below headings over several columns; if there are as many, only these rows decide. */
const minJudges = 2

/** Left and right ends of the columns, from left to right. */
export function columnRuns(given: readonly LineRow[]): Interval[] {
  const lines = withFloating(given)
  const parted = lines.filter((l) => l.textRuns.length > 1)
  if (parted.length < 2) return []
  // The fullest lines show the columns; lines with few texts are headings over several columns, or rows with empty
  // cells.
  const usual = median(parted.map((l) => l.textRuns.length))
  const [, fullest = 0] = parted.map((l) => l.textRuns.length).sort((a, b) => b - a)
  const heads = new Set(lines.slice(0, headLines).filter((l) => l.textRuns.length < fullest))
  const full = parted.filter((l) => l.textRuns.length >= clearMajority * usual)
  const rows = full.filter((l) => !heads.has(l))
  const judges = rows.length < minJudges ? full : rows
  const may = Math.floor(crossing * judges.length)
  const edges: { x: number; step: 1 | -1 }[] = []
  for (const line of judges)
    for (const { box } of line.textRuns) {
      edges.push({ x: box.x0, step: 1 })
      edges.push({ x: Math.max(box.x1, box.x0 + rounding), step: -1 })
    }
  edges.sort((a, b) => a.x - b.x || a.step - b.step)
  const out: Interval[] = []
  let depth = 0
  let from: number | undefined
  for (const { x, step } of edges) {
    const before = depth
    depth += step
    if (before <= may && depth > may) from = x
    else if (before > may && depth <= may && from !== undefined) {
      out.push([from, x])
      from = undefined
    }
  }
  return withoutBullets(withoutChance(out, parted, lines), lines)
}

/** In fewer lines, gaps may be aligned by chance: only gaps of this width count, in ems. */
const wideGap = 0.9

/** Merges columns that only one line shows, or with narrow gaps in a few lines, into the one before them. */
function withoutChance(
  columns: readonly Interval[],
  parted: readonly LineRow[],
  lines: readonly LineRow[],
): Interval[] {
  const size = median(parted.map((l) => l.size))
  const minWidth = parted.length < surePattern ? wideGap * size : 0
  const shown = new Map(columns.map((column) => [column, 0]))
  for (const { textRuns } of lines) {
    const over = textRuns.map(({ box }) => columns.filter(([a, b]) => box.x0 < b && box.x1 > a))
    // A line of a single text shows a column only if it overlaps no other: the name of a group of rows.
    const own = textRuns.length > 1 ? over : over.filter((o) => o.length === 1)
    for (const column of new Set(own.flat())) shown.set(column, (shown.get(column) ?? 0) + 1)
  }
  const out: Interval[] = []
  for (const column of columns) {
    const last = out.at(-1)
    const alone = parted.length > 2 && (shown.get(column) ?? 0) < 2
    if (last && (alone || column[0] - last[1] < minWidth)) last[1] = column[1]
    else out.push([...column])
  }
  return out
}

const bullet = /^[\u2022\u25aa\u25cf\u25e6\u00b7\u25a0\u2013\u2014\ue000-\uf8ff*-]$/u

/**
 * Bullets of a list in a cell are not a column; dashes in place of numbers are. Texts that extend into the next column
 * are not evidence for this one.
 */
function withoutBullets(columns: readonly Interval[], lines: readonly LineRow[]): Interval[] {
  const texts = columns.map(([a, b], i) => {
    const [next] = columns[i + 1] ?? [Infinity]
    return lines.flatMap((l) =>
      l.textRuns.filter(({ box }) => box.x0 < b && box.x1 > a && box.x1 <= next).map((p) => p.text.trim()),
    )
  })
  const isLabels = (i: number): boolean => {
    const own = texts[i] ?? []
    // Symbol fonts may give any character for a bullet or a check box, but always the same one.
    const sign = i === 0 && own.length > 1 && new Set(own).size === 1 && /^[^\p{L}\p{N}]$/u.test(own[0] ?? '')
    const bullets = own.filter((t) => bullet.test(t)).length
    const next = texts[i + 1] ?? []
    const items = next.filter((t) => /\p{L}/u.test(t)).length
    return (
      i + 1 < columns.length &&
      (sign || (bullets > clearMajority * own.length && items >= majority * next.length))
    )
  }
  const out: Interval[] = []
  for (let i = 0; i < columns.length; i++) {
    const [a, b] = elementAt(columns, i)
    if (isLabels(i)) out.push([a, elementAt(columns, ++i)[1]])
    else out.push([a, b])
  }
  return out
}
