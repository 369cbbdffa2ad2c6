import { elementAt } from '../element-at.ts'
import { median } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { type LineRow, rowsOf } from '../lines/line-rows.ts'
import { bulletSign } from '../lines/scripts.ts'
import type { Rule } from '../read/page.ts'
import {
  clearMajority,
  closeLines,
  farthestRow,
  fullLine,
  meeting,
  sameIndent,
  sizeableShare,
} from '../tolerances.ts'
import { middleOfLetters } from '../typography.ts'
import { cutAtGaps, cutCells } from './cell-gaps.ts'
import { isOver, larger, withFloating } from './strips.ts'
import { columnRuns } from './whitespace-runs.ts'

// Tables with only horizontal rules, as in books and papers: rules of one width above, below and between rows. Rules of
// equal extent with rows of short texts between them enclose a region; running text between two of them separates one
// table from the next.

export interface Region {
  x0: number
  x1: number
  /** Rules of full width, from top to bottom. */
  rules: Rule[]
  /** Shorter rules inside: they show which columns a heading spans. */
  short: Rule[]
  /** The lines, split at gaps wider than a word space. */
  lines: LineRow[]
  /** The text runs that the lines were split from. */
  sources: Set<TextRun>
}

/** In points: shorter rules are fraction bars, underlines and the like. */
const shortest = 24
/** Maximum distance of rows, as a multiple of the usual distance. */
const widerThanUsual = 2
/** Minimum share of a table's lines with gaps. */
const minParted = 0.4
/** In points: two rules without text between them are a double rule up to here, and those of two tables beyond. */
const doubleLine = 9

export function findRegions(rules: readonly Rule[], textRuns: readonly TextRun[]): Region[] {
  const long = rules.filter((r) => r.horizontal && !r.weak && r.to - r.from >= shortest)
  const out: Region[] = []
  for (const group of byExtent(long)) {
    if (group.length < 2) continue
    const { from, to } = elementAt(group, 0)
    const near = textRuns.filter((p) => p.turn === 0 && p.box.x1 > from && p.box.x0 < to)
    let chain: Rule[] = [elementAt(group, 0)]
    const close = (): void => {
      const region = regionOf(chain, rules, near)
      if (region) out.push(region)
    }
    for (const [i, rule] of group.slice(1).entries()) {
      if (isBetweenRows(elementAt(group, i), rule, near)) chain.push(rule)
      else {
        close()
        chain = [rule]
      }
    }
    close()
  }
  return out
}

function byExtent(rules: readonly Rule[]): Rule[][] {
  const groups: Rule[][] = []
  for (const rule of [...rules].sort((a, b) => a.at - b.at)) {
    const group = groups.find((g) => sameExtent(elementAt(g, 0), rule))
    if (group) group.push(rule)
    else groups.push([rule])
  }
  return groups
}

const sameExtent = (a: Rule, b: Rule): boolean =>
  Math.abs(a.from - b.from) <= meeting && Math.abs(a.to - b.to) <= meeting

const between = (textRuns: readonly TextRun[], y0: number, y1: number): TextRun[] =>
  textRuns.filter((p) => p.baseline > y0 && p.baseline - middleOfLetters * p.size < y1)

function isBetweenRows(upper: Rule, lower: Rule, near: readonly TextRun[]): boolean {
  const own = between(near, upper.at, lower.at)
  if (own.length === 0) return lower.at - upper.at <= doubleLine
  if (own.some((p) => p.box.x0 < upper.from - sameIndent || p.box.x1 > upper.to + sameIndent)) return false
  const wide = upper.to - upper.from
  const lines = withFloating(rowsOf(own.flatMap((p) => cutCells(p, wide))))
  if (hasHole(upper.at, lower.at, lines) || endsWithHeading(lines)) return false
  const parted = lines.filter((l) => l.textRuns.length > 1).length
  // A single line without gaps is a header of the rows below. It is close to both rules; a caption is not.
  if (parted === 0) return lines.length === 1 && lower.at - upper.at < farthestRow * elementAt(lines, 0).size
  const full = lines.filter((l) => l.textRuns.length === 1 && inkOf(l) > fullLine * wide).length
  return parted >= minParted * lines.length && full < sizeableShare * lines.length
}

/** The lower rule is below a heading. */
function endsWithHeading(lines: readonly LineRow[]): boolean {
  const last = elementAt(lines, -1)
  const others = lines.slice(0, -1)
  return (
    others.length > 0 && last.textRuns.length === 1 && others.every(({ size }) => last.size > larger * size)
  )
}

/** Rows have a regular distance; a larger gap is the space between two tables. */
function hasHole(top: number, bottom: number, lines: readonly LineRow[]): boolean {
  const size = median(lines.map((l) => l.size))
  const baselines = lines.map((l) => l.baseline)
  const steps = baselines.slice(1).map((y, i) => y - (baselines[i] as number))
  const ends = [(baselines[0] as number) - top - size, bottom - (baselines.at(-1) as number)]
  return Math.max(...steps, ...ends) > Math.max(farthestRow * size, widerThanUsual * median(steps))
}

const inkOf = (l: LineRow): number => l.textRuns.reduce((sum, p) => sum + p.box.x1 - p.box.x0, 0)

function regionOf(
  chain: readonly Rule[],
  rules: readonly Rule[],
  near: readonly TextRun[],
): Region | undefined {
  const top = chain[0]
  const bottom = chain.at(-1)
  if (!top || !bottom || chain.length < 2) return undefined
  const inside = rowsOf(between(near, top.at, bottom.at).flatMap(cutAtGaps))
  const lines = chain.length === 2 ? [...inside, ...rowsToPageEnd(inside, bottom, near)] : inside
  const parted = lines.filter((l) => l.textRuns.length > 1).length
  if (lines.length < 2 || parted < 2) return undefined
  const x0 = median(chain.map((r) => r.from))
  const x1 = median(chain.map((r) => r.to))
  const all = withNeighbours(lines, near, x0, x1)
  const baselines = new Set(all.flatMap((l) => l.textRuns.map((p) => p.baseline)))
  const short = rules.filter(
    (r) => r.horizontal && !chain.includes(r) && !r.weak && isInside(r, x0, x1, top.at, bottom.at),
  )
  return {
    x0,
    x1,
    rules: [...chain],
    short,
    lines: all,
    sources: new Set(near.filter((p) => baselines.has(p.baseline))),
  }
}

/** Adds lines in the same columns beyond the rules: the first may be below the header, the last above totals. */
function withNeighbours(
  lines: readonly LineRow[],
  near: readonly TextRun[],
  x0: number,
  x1: number,
): LineRow[] {
  const columns = columnRuns(lines)
  const steps = lines.slice(1).map((l, i) => l.baseline - elementAt(lines, i).baseline)
  const reach = Math.max(widerThanUsual * median(steps), farthestRow * median(lines.map((l) => l.size)))
  const top = elementAt(lines, 0).baseline
  const bottom = elementAt(lines, -1).baseline
  const outside = rowsOf(
    near.filter((p) => p.baseline < top - 1 || p.baseline > bottom + 1).flatMap((p) => cutCells(p, x1 - x0)),
  )
  const isInColumns = ({ textRuns }: LineRow): boolean =>
    textRuns.every(
      ({ box }) =>
        box.x0 > x0 - sameIndent &&
        box.x1 < x1 + sameIndent &&
        columns.filter(([a, b]) => box.x0 < b && box.x1 > a).length <= 1,
    )
  const isFull = ({ textRuns }: LineRow): boolean =>
    textRuns.filter((p) => !bulletSign.test(p.text.trim())).length >=
    Math.max(2, clearMajority * columns.length)
  /** The lines from the nearest one to the last full one. */
  const adjoining = (beyond: readonly LineRow[], from: LineRow): LineRow[] => {
    let end = 0
    for (const [i, line] of beyond.entries()) {
      const step = Math.abs(line.baseline - (beyond[i - 1] ?? from).baseline)
      // The lines of one row are close.
      const limit = i === 0 || (isFull(line) && end === i) ? reach : closeLines * line.size
      if (step > limit || !isInColumns(line)) break
      if (isFull(line)) end = i + 1
    }
    return beyond.slice(0, end)
  }
  const above = outside.filter((l) => l.baseline < top).reverse()
  const below = outside.filter((l) => l.baseline > bottom)
  return [
    ...adjoining(above, elementAt(lines, 0)).reverse(),
    ...lines,
    ...adjoining(below, elementAt(lines, -1)),
  ]
}

const isInside = (r: Rule, x0: number, x1: number, y0: number, y1: number): boolean =>
  r.from > x0 - meeting && r.to < x1 + meeting && r.at > y0 && r.at < y1

// A table that continues on the next page has no rule at the bottom of the page: its rows are below the rules of its
// header.

/** Maximum number of header lines. */
const maxHeadLines = 3

/** The rows below the header, unless other text follows them on the page. */
function rowsToPageEnd(heads: readonly LineRow[], under: Rule, near: readonly TextRun[]): LineRow[] {
  if (heads.length === 0 || heads.length > maxHeadLines) return []
  const below = near.filter((p) => p.baseline - p.size / 2 > under.at)
  const lines = rowsOf(below.flatMap((p) => cutCells(p, under.to - under.from)))
  const [first] = lines
  if (!first || first.textRuns.length < 2) return []
  const fullest = [first, ...heads].reduce((a, b) => (b.textRuns.length > a.textRuns.length ? b : a))
  const out: LineRow[] = []
  for (const line of lines) {
    const above = out.at(-1)?.baseline ?? under.at
    if (line.baseline - above > farthestRow * first.size) break
    if (line.textRuns.some((p) => fullest.textRuns.filter((head) => isOver(p, head)).length > 1)) return []
    out.push(line)
  }
  return out
}
