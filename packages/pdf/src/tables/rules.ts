import { groupConnected } from '../connected.ts'
import type { Fill, Rule } from '../read/page.ts'
import { clearMajority, meeting, rounding, samePosition } from '../tolerances.ts'

// Normalizes rules: joins collinear segments, drops duplicates and removes those that cannot be cell borders.

/** Segments of one rule are within a point of each other. */
const sameLine = 1.1
/** Shorter segments are dots and ends of dashes, in points. */
const shortest = 2
/** Luma weights of the colour channels, and their maximum value. */
const shareOfRed = 0.3
const shareOfGreen = 0.59
const shareOfBlue = 0.11
const brightest = 255
/** Lighter colours are not visible on paper. */
const pale = 0.985

export function joinRules(
  rules: readonly Rule[],
  fills: readonly Fill[],
  page: { width: number; height: number },
): Rule[] {
  const whites = fills.filter((f) => isPale(f.color) || tooLarge(f, page))
  const kept = rules.filter((r) => {
    if (!Number.isFinite(r.at) || r.to - r.from < shortest) return false
    if (!r.weak) return !isPale(r.color)
    // Edges of pale or page-wide areas are not visible.
    return !isPale(r.color) && !whites.some((f) => isEdgeOf(r, f))
  })
  return [...joinAlong(kept.filter((r) => r.horizontal)), ...joinAlong(kept.filter((r) => !r.horizontal))]
}

function joinAlong(rules: readonly Rule[]): Rule[] {
  const sorted = [...rules].sort((a, b) => a.at - b.at || a.from - b.from)
  const lanes: { at: number; rules: Rule[] }[] = []
  for (const rule of sorted) {
    const lane = lanes.findLast((l) => Math.abs(l.at - rule.at) <= sameLine)
    if (lane) lane.rules.push(rule)
    else lanes.push({ at: rule.at, rules: [rule] })
  }
  const out: Rule[] = []
  for (const lane of lanes) {
    lane.rules.sort((a, b) => a.from - b.from)
    let current: Rule | undefined
    for (const rule of lane.rules) {
      if (
        current &&
        rule.from <= current.to + meeting &&
        (current.weak === rule.weak || rule.to <= current.to || current.to - current.from < meeting)
      ) {
        current.to = Math.max(current.to, rule.to)
        if (!rule.weak) {
          if (current.weak) current.color = rule.color
          current.weak = false
          current.thickness = Math.max(current.thickness, rule.thickness)
        }
      } else {
        if (current) out.push(current)
        current = { ...rule }
      }
    }
    if (current) out.push(current)
  }
  return out
}

function brightness(color: string): number {
  const n = Number.parseInt(color, 16)
  const [red, green, blue] = [n >> 16, (n >> 8) & brightest, n & brightest]
  return (shareOfRed * red + shareOfGreen * green + shareOfBlue * blue) / brightest
}

/** Invisible on paper. */
export const isPale = (color: string): boolean => brightness(color) > pale

const tooLarge = (f: Fill, page: { width: number; height: number }): boolean =>
  (f.box.x1 - f.box.x0) * (f.box.y1 - f.box.y0) > clearMajority * page.width * page.height

const isAt = (a: number, b: number): boolean => Math.abs(a - b) < rounding

function isEdgeOf(r: Rule, f: Fill): boolean {
  const { box } = f
  return r.horizontal
    ? (isAt(r.at, box.y0) || isAt(r.at, box.y1)) && isAt(r.from, box.x0)
    : (isAt(r.at, box.x0) || isAt(r.at, box.x1)) && isAt(r.from, box.y0)
}

/**
 * Invisible edges separate nothing. An edge may be inside a larger area of the same colour: programs shade both a cell
 * and its paragraph. It may also be between two areas of the same colour, one below the other: a shaded paragraph or
 * cell of several lines is painted line by line. If no rules are drawn between columns, edges of the second kind may be
 * the only evidence.
 */
export function withoutInnerEdges(group: readonly Rule[], fills: readonly Fill[]): Rule[] {
  const drawn = group.filter((r) => !r.weak)
  const hasLines = drawn.some((r) => r.horizontal) && drawn.some((r) => !r.horizontal)
  const sides = group.filter((r) => !r.horizontal).map((r) => r.at)
  const isByLine = hasLines || clusterPositions(sides, meeting).length <= 2
  const topmost = (x: number, y: number): Fill | undefined =>
    fills.findLast((f) => x > f.box.x0 && x < f.box.x1 && y > f.box.y0 && y < f.box.y1)
  const covers = (f: Fill, [x, y]: readonly [number, number]): boolean =>
    x > f.box.x0 && x < f.box.x1 && y > f.box.y0 && y < f.box.y1
  return group.filter((r) => {
    if (!r.weak) return true
    const middle = (r.from + r.to) / 2
    const beside = [-samePosition, samePosition].map((d) =>
      r.horizontal ? ([middle, r.at + d] as const) : ([r.at + d, middle] as const),
    )
    const [a, b] = beside.map(([x, y]) => topmost(x, y)?.color)
    if (a !== b) return true
    const nested = fills.some((f) => f.color === a && beside.every((side) => covers(f, side)))
    return !nested && !(isByLine && r.horizontal)
  })
}

/** Groups of connected rules. */
export function meetingRules(rules: readonly Rule[], slack: number): Rule[][] {
  const indexed = rules.map((r, i) => ({ r, i }))
  const vertical = indexed.filter((e) => !e.r.horizontal).sort((a, b) => a.r.at - b.r.at)
  return groupConnected(rules, (report) => {
    for (const h of indexed.filter((e) => e.r.horizontal))
      for (const v of vertical) {
        if (v.r.at < h.r.from - slack) continue
        if (v.r.at > h.r.to + slack) break
        if (h.r.at >= v.r.from - slack && h.r.at <= v.r.to + slack) report(h.i, v.i)
      }
  })
}

/** Merges positions that are close together; the result is sorted. */
export function clusterPositions(values: readonly number[], slack: number): number[] {
  const sorted = [...values].sort((a, b) => a - b)
  const out: number[][] = []
  for (const v of sorted) {
    const last = out.at(-1)
    if (last && v - (last.at(-1) as number) <= slack && v - (last[0] as number) <= 2 * slack) last.push(v)
    else out.push([v])
  }
  return out.map((group) => group.reduce((a, b) => a + b, 0) / group.length)
}
