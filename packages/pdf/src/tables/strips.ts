import { elementAt } from '../element-at.ts'
import type { Box } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import type { LineRow } from '../lines/line-rows.ts'
import { clearMajority, farthestRow, samePosition, shortLine } from '../tolerances.ts'

// Finds lines that share empty vertical strips between their words.

/** Minimum width of a strip between columns, wider than a space; in ems. */
const narrowestStrip = 0.42
/** Maximum row distance, in ems: a cell may have several lines. */
const farthestLine = 4
/** A row keeps most of the strips; of a wide table, at most six need to be kept. */
const stripsThatCount = 6
/** Headings over several columns are in the first two lines. */
export const headLines = 2
/** More consecutive lines without a gap are the text after the table. */
const maxLonely = 6
/** A line larger by this factor is a heading of what follows. */
export const larger = 1.08

export interface Region {
  rows: LineRow[]
  last: number
  strips: Interval[]
}

export type Interval = [number, number]

export const isOver = (a: TextRun, b: TextRun): boolean => a.box.x0 < b.box.x1 && a.box.x1 > b.box.x0

/** Lines are at least this far apart, in ems: a closer text is centred on several rows. */
export const minStep = 0.9

const isFloating = (line: LineRow, above: LineRow): boolean =>
  line.baseline - above.baseline < minStep * line.size

/** Adds such texts to the line above them. */
export function withFloating(lines: readonly LineRow[]): LineRow[] {
  const out: LineRow[] = []
  for (const line of lines) {
    const last = out.at(-1)
    if (last && isFloating(line, last))
      out[out.length - 1] = { ...last, textRuns: [...last.textRuns, ...line.textRuns] }
    else out.push(line)
  }
  return out
}

const wordsOf = ({ textRuns }: LineRow): Box[] => textRuns.flatMap((p) => p.words.map((w) => w.box))

/** The intervals between the row's words, from page edge to page edge. */
function freeOf(row: LineRow): Interval[] {
  const words = wordsOf(row).sort((a, b) => a.x0 - b.x0)
  const out: Interval[] = []
  let edge = -Infinity
  for (const w of words) {
    if (w.x0 > edge) out.push([edge, w.x0])
    edge = Math.max(edge, w.x1)
  }
  out.push([edge, Infinity])
  return out
}

function intersect(a: readonly Interval[], b: readonly Interval[], minWidth: number): Interval[] {
  const out: Interval[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const x = elementAt(a, i)
    const y = elementAt(b, j)
    const from = Math.max(x[0], y[0])
    const to = Math.min(x[1], y[1])
    if (to - from >= minWidth) out.push([from, to])
    if (x[1] < y[1]) i++
    else j++
  }
  return out
}

const inner = (strips: readonly Interval[]): Interval[] => strips.filter(([a, b]) => Number.isFinite(b - a))

/** Gaps between the text runs of a row, which are candidates for column boundaries. */
function pieceGaps(row: LineRow): Interval[] {
  const out: Interval[] = []
  for (let i = 1; i < row.textRuns.length; i++) {
    const a = elementAt(row.textRuns, i - 1)
    const b = elementAt(row.textRuns, i)
    if (b.box.x0 > a.box.x1) out.push([a.box.x1, b.box.x0])
  }
  return out
}

/** Drops intervals that contain another one. */
function withGaps(seen: readonly Interval[], gaps: readonly Interval[]): Interval[] {
  let out = [...seen]
  for (const [a, b] of gaps) {
    if (out.some(([c, d]) => c <= a && d >= b)) continue
    out = out.filter(([c, d]) => !(a <= c && b >= d))
    out.push([a, b])
  }
  return out
}

const hits = (strip: Interval, gaps: readonly Interval[]): boolean =>
  gaps.some(([a, b]) => Math.min(b, strip[1]) - Math.max(a, strip[0]) > samePosition)

/** Extends a region downwards from a line with gaps, as long as its strips stay empty. */
export function growRegion(
  rows: readonly LineRow[],
  from: number,
  barriers: readonly Box[],
): Region | undefined {
  const start = elementAt(rows, from)
  const minWidth = narrowestStrip * start.size
  let strips = freeOf(start)
  const taken: LineRow[] = [start]
  let seen = withGaps([], pieceGaps(start))
  let last = from
  let multi = 1
  let usual = start.size
  let lonely = 0
  for (let i = from + 1; i < rows.length; i++) {
    const row = elementAt(rows, i)
    const previous = elementAt(taken, -1)
    if (row.baseline - previous.baseline > farthestLine * row.size) break
    if (barriers.some((b) => b.y0 > previous.baseline && b.y0 < row.baseline)) break
    const now = intersect(strips, freeOf(row), minWidth)
    const useful = inner(now).filter((s) => hits(s, seen) || hits(s, pieceGaps(row)))
    const before = inner(strips).filter((s) => hits(s, seen)).length
    if (row.textRuns.length >= 2) {
      usual = row.size
      if (useful.length === 0 || useful.length < clearMajority * Math.min(before, stripsThatCount)) {
        // Headings over several columns interrupt strips only at the top.
        if (multi <= headLines && useful.length >= 1) {
          strips = now
          taken.push(row)
          seen = withGaps(seen, pieceGaps(row))
          last = i
          multi++
          continue
        }
        break
      }
      strips = now
      seen = withGaps(seen, pieceGaps(row))
      multi++
      lonely = 0
    } else {
      const textRun = elementAt(row.textRuns, 0)
      if (row.size > larger * usual && /\p{L}{2}/u.test(textRun.text)) break
      const within = inner(now).filter((s) => hits(s, seen)).length >= before
      const short = textRun.text.length < shortLine
      // A line without gaps inside the table: a wrapped cell, or a heading over some rows.
      if (!within && (!short || lonely >= 1)) break
      if (within) strips = now
      else if (row.baseline - previous.baseline > farthestRow * row.size) break
      lonely++
      if (lonely > maxLonely) break
    }
    taken.push(row)
    last = i
  }
  // Lines without gaps at the end follow the table, unless they are between the lines of its last row.
  while (
    taken.length > 1 &&
    elementAt(taken, -1).textRuns.length < 2 &&
    !isFloating(elementAt(taken, -1), elementAt(taken, -2))
  ) {
    taken.pop()
    last--
  }
  if (multi < 2) return undefined
  return { rows: taken, last, strips: inner(strips).filter((s) => hits(s, seen)) }
}

/** The columns between the strips. */
export function columnsOf(region: Region): Interval[] {
  const words = region.rows.filter((r) => r.textRuns.length > 1).flatMap(wordsOf)
  const edges: Interval[] = [[-Infinity, -Infinity], ...region.strips, [Infinity, Infinity]]
  const out: Interval[] = []
  for (let i = 1; i < edges.length; i++) {
    const from = elementAt(edges, i - 1)[1]
    const to = elementAt(edges, i)[0]
    const inside = words.filter((w) => (w.x0 + w.x1) / 2 > from && (w.x0 + w.x1) / 2 < to)
    if (inside.length === 0) continue
    out.push([Math.min(...inside.map((w) => w.x0)), Math.max(...inside.map((w) => w.x1))])
  }
  return out
}
