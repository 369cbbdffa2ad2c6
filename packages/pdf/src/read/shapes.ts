import { elementAt } from '../element-at.ts'
import { type Box, height, width } from '../geometry.ts'
import type { Rule } from './page.ts'

interface Point {
  x: number
  y: number
}

export interface Subpath {
  points: Point[]
  curved: boolean
  closed: boolean
}

export interface Paint {
  fill: string | undefined
  stroke: string | undefined
  thickness: number
}

/** Tolerance for a straight line, in points: programs round. */
const straight = 0.75
/** Thinner lines are drawn as thin as the device permits; in points. */
export const hairline = 0.25
/** A smaller drawing is not visible, in points. */
const minSeen = 0.5
/** A filled bar thinner than this, in points, is a line drawn as a rectangle. */
const thinBar = 3.2

function boxOf(points: Subpath['points']): Box {
  let x0 = Infinity
  let y0 = Infinity
  let x1 = -Infinity
  let y1 = -Infinity
  for (const p of points) {
    x0 = Math.min(x0, p.x)
    y0 = Math.min(y0, p.y)
    x1 = Math.max(x1, p.x)
    y1 = Math.max(y1, p.y)
  }
  return { x0, y0, x1, y1 }
}

function ruleBetween(a: Point, b: Point, look: Pick<Rule, 'thickness' | 'color'>): Rule | undefined {
  const box = boxOf([a, b])
  if (width(box) < 1 && height(box) < 1) return undefined
  return { ...along(box), ...look, weak: false }
}

/** The middle line of a box, in its longer direction. */
const along = (box: Box): Pick<Rule, 'horizontal' | 'at' | 'from' | 'to'> =>
  width(box) >= height(box)
    ? { horizontal: true, at: (box.y0 + box.y1) / 2, from: box.x0, to: box.x1 }
    : { horizontal: false, at: (box.x0 + box.x1) / 2, from: box.y0, to: box.y1 }

function edges({ x0, y0, x1, y1 }: Box, look: Pick<Rule, 'thickness' | 'color' | 'weak'>): Rule[] {
  const h = (at: number): Rule => ({ horizontal: true, at, from: x0, to: x1, ...look })
  const v = (at: number): Rule => ({ horizontal: false, at, from: y0, to: y1, ...look })
  return [h(y0), h(y1), v(x0), v(x1)]
}

/** Whether every side is approximately parallel to an axis. */
function isUpright(path: Subpath): boolean {
  const { points } = path
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [elementAt(points, i - 1), elementAt(points, i)]
    if (Math.abs(a.x - b.x) > straight && Math.abs(a.y - b.y) > straight) return false
  }
  const first = points[0]
  const last = points.at(-1)
  if (path.closed && first && last)
    return Math.abs(first.x - last.x) <= straight || Math.abs(first.y - last.y) <= straight
  return true
}

/** Whether an upright closed path is one rectangle: its points are the corners of its bounding box. */
function isRectangle(path: Subpath, box: Box): boolean {
  return path.points.every(
    (p) =>
      Math.min(Math.abs(p.x - box.x0), Math.abs(p.x - box.x1)) <= straight &&
      Math.min(Math.abs(p.y - box.y0), Math.abs(p.y - box.y1)) <= straight,
  )
}

export function sortPath(
  subpaths: readonly Subpath[],
  paint: Paint,
): { rules: Rule[]; fills: Box[]; art: Box[] } {
  const rules: Rule[] = []
  const fills: Box[] = []
  const art: Box[] = []
  for (const path of subpaths) {
    if (path.points.length < 2) continue
    const box = boxOf(path.points)
    const thinAcross = Math.min(width(box), height(box))
    const long = Math.max(width(box), height(box))
    if (paint.fill !== undefined && thinAcross <= thinBar && long >= 2 * thinAcross + 2) {
      const thickness = Math.max(hairline, thinAcross)
      rules.push({ ...along(box), thickness, color: paint.fill, weak: false })
      continue
    }
    if (path.curved || !isUpright(path)) {
      if (long > minSeen) art.push(box)
      continue
    }
    if (paint.fill !== undefined && isRectangle(path, box)) {
      fills.push(box)
      const { thickness, stroke, fill } = paint
      rules.push(...edges(box, { thickness, color: stroke ?? fill, weak: stroke === undefined }))
      continue
    }
    if (paint.fill !== undefined) {
      fills.push(box)
      continue
    }
    if (paint.stroke === undefined) continue
    const look = { thickness: paint.thickness, color: paint.stroke }
    const isRing = path.closed && path.points.length > 2
    const ends = isRing ? [...path.points.slice(1), elementAt(path.points, 0)] : path.points.slice(1)
    for (const [i, end] of ends.entries()) {
      const rule = ruleBetween(elementAt(path.points, i), end, look)
      if (rule) rules.push(rule)
    }
  }
  return { rules, fills, art }
}
