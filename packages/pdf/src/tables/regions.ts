import { elementAt } from '../element-at.ts'
import { median } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { type LineRow, rowsOf } from '../lines/line-rows.ts'
import type { Rule } from '../read/page.ts'
import { clearMajority, fullLine, meeting } from '../tolerances.ts'
import { middleOfLetters } from '../typography.ts'
import { cutAtGaps, cutCells } from './cell-gaps.ts'
import { rowsToPageEnd } from './open-end.ts'
import { withFloating } from './strips.ts'
import { columnRuns } from './whitespace-runs.ts'

// Tables ruled across only, as books and papers set them: lines of one width above, under and between rows.
// Lines of equal extent with rows of short texts between them bound a region; running text between two of
// them parts one table from the next.

export interface Region {
  x0: number
  x1: number
  /** Those of full width, from top to bottom. */
  rules: Rule[]
  /** Shorter ones inside: they show which columns a heading stands over. */
  short: Rule[]
  /** Every line cut where gaps are wider than between words. */
  lines: LineRow[]
  /** What the lines were cut from. */
  sources: Set<TextRun>
}

/** Shorter lines are fractions, underlines and the like. */
const shortest = 24
/** A thicker bar is an area, not a line. */
const thickest = 4
/** Text may stick out of its table by this much: italics, quotes, marks of notes. */
const overhang = 4
/** Two lines without text between them are a double line up to this distance; farther apart they are two tables. */
const doubleLine = 9
/** A lone line that heads the rows below it stands between two rules that are not further apart, in ems. */
const headLine = 2.6
/** Of the lines of a table so many have gaps at least, and fewer than so many are running text. */
const minParted = 0.4
const maxFull = 0.3
/** Lines beyond the rules are no further than the rows are apart: in steps of those, or in ems. */
const reachInSteps = 1.7
const reachInEms = 2.4

export function findRegions(rules: readonly Rule[], textRuns: readonly TextRun[]): Region[] {
  const long = rules.filter(
    (r) => r.horizontal && !r.weak && r.to - r.from >= shortest && r.thickness <= thickest,
  )
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
  if (own.some((p) => p.box.x0 < upper.from - overhang || p.box.x1 > upper.to + overhang)) return false
  const wide = upper.to - upper.from
  const lines = withFloating(rowsOf(own.flatMap((p) => cutCells(p, wide))))
  if (hasHole(upper.at, lower.at, lines)) return false
  const parted = lines.filter((l) => l.textRuns.length > 1).length
  // One line of its own heads the rows below it. It stands close to both rules; a caption does not.
  if (parted === 0) return lines.length === 1 && lower.at - upper.at < headLine * elementAt(lines, 0).size
  const full = lines.filter((l) => l.textRuns.length === 1 && inkOf(l) > fullLine * wide).length
  return parted >= minParted * lines.length && full < maxFull * lines.length
}

/** Rows keep their distance; a hole among them is the space between two tables. */
function hasHole(top: number, bottom: number, lines: readonly LineRow[]): boolean {
  const size = median(lines.map((l) => l.size))
  const baselines = lines.map((l) => l.baseline)
  const steps = baselines.slice(1).map((y, i) => y - (baselines[i] as number))
  const ends = [(baselines[0] as number) - top - size, bottom - (baselines.at(-1) as number)]
  return Math.max(...steps, ...ends) > Math.max(widestStep * size, widerThanUsual * median(steps))
}

/** From line to line of a table or from a line to its rule, in ems; or as many times what is usual in it. */
const widestStep = 2.6
const widerThanUsual = 2

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

/** The first rule may stand under the headings, the last one above a row of sums: lines beyond them in the same columns. */
function withNeighbours(
  lines: readonly LineRow[],
  near: readonly TextRun[],
  x0: number,
  x1: number,
): LineRow[] {
  const columns = columnRuns(lines)
  const steps = lines.slice(1).map((l, i) => l.baseline - elementAt(lines, i).baseline)
  const reach = Math.max(reachInSteps * median(steps), reachInEms * median(lines.map((l) => l.size)))
  const top = elementAt(lines, 0).baseline
  const bottom = elementAt(lines, -1).baseline
  const outside = rowsOf(
    near.filter((p) => p.baseline < top - 1 || p.baseline > bottom + 1).flatMap((p) => cutCells(p, x1 - x0)),
  )
  const fits = ({ textRuns }: LineRow): boolean =>
    textRuns.length >= Math.max(2, clearMajority * columns.length) &&
    textRuns.every((p) => p.box.x0 > x0 - overhang && p.box.x1 < x1 + overhang) &&
    textRuns.every((p) => columns.filter(([a, b]) => p.box.x0 < b && p.box.x1 > a).length <= 1)
  const out = [...lines]
  for (const line of outside.filter((l) => l.baseline < top).reverse()) {
    if (elementAt(out, 0).baseline - line.baseline > reach || !fits(line)) break
    out.unshift(line)
  }
  for (const line of outside.filter((l) => l.baseline > bottom)) {
    if (line.baseline - elementAt(out, -1).baseline > reach || !fits(line)) break
    out.push(line)
  }
  return out
}

const isInside = (r: Rule, x0: number, x1: number, y0: number, y1: number): boolean =>
  r.from > x0 - meeting && r.to < x1 + meeting && r.at > y0 && r.at < y1
