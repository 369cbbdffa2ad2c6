import { type Box, height, width } from '../geometry.ts'
import type { Rule } from './page.ts'

export interface Subpath {
  points: { x: number; y: number }[]
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

function ruleBetween(
  a: { x: number; y: number },
  b: { x: number; y: number },
  thickness: number,
  color: string,
): Rule | undefined {
  const dx = Math.abs(a.x - b.x)
  const dy = Math.abs(a.y - b.y)
  if (dx < 1 && dy < 1) return undefined
  if (dx >= dy)
    return {
      horizontal: true,
      at: (a.y + b.y) / 2,
      from: Math.min(a.x, b.x),
      to: Math.max(a.x, b.x),
      thickness,
      color,
      weak: false,
    }
  return {
    horizontal: false,
    at: (a.x + b.x) / 2,
    from: Math.min(a.y, b.y),
    to: Math.max(a.y, b.y),
    thickness,
    color,
    weak: false,
  }
}

function edges(box: Box, thickness: number, color: string, weak: boolean): Rule[] {
  const h = (at: number): Rule => ({ horizontal: true, at, from: box.x0, to: box.x1, thickness, color, weak })
  const v = (at: number): Rule => ({
    horizontal: false,
    at,
    from: box.y0,
    to: box.y1,
    thickness,
    color,
    weak,
  })
  return [h(box.y0), h(box.y1), v(box.x0), v(box.x1)]
}

/** Whether every side is approximately parallel to an axis. */
function isUpright(path: Subpath): boolean {
  const { points } = path
  for (let i = 1; i < points.length; i++) {
    const a = points[i - 1] as { x: number; y: number }
    const b = points[i] as { x: number; y: number }
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
      const horizontal = width(box) >= height(box)
      rules.push({
        horizontal,
        at: horizontal ? (box.y0 + box.y1) / 2 : (box.x0 + box.x1) / 2,
        from: horizontal ? box.x0 : box.y0,
        to: horizontal ? box.x1 : box.y1,
        thickness: Math.max(hairline, thinAcross),
        color: paint.fill,
        weak: false,
      })
      continue
    }
    if (path.curved || !isUpright(path)) {
      if (long > minSeen) art.push(box)
      continue
    }
    if (paint.fill !== undefined && isRectangle(path, box)) {
      fills.push(box)
      rules.push(...edges(box, paint.thickness, paint.stroke ?? paint.fill, paint.stroke === undefined))
      continue
    }
    if (paint.fill !== undefined) {
      fills.push(box)
      continue
    }
    if (paint.stroke === undefined) continue
    for (let i = 1; i < path.points.length; i++) {
      const rule = ruleBetween(
        path.points[i - 1] as { x: number; y: number },
        path.points[i] as { x: number; y: number },
        paint.thickness,
        paint.stroke,
      )
      if (rule) rules.push(rule)
    }
    if (path.closed && path.points.length > 2) {
      const rule = ruleBetween(
        path.points.at(-1) as { x: number; y: number },
        path.points[0] as { x: number; y: number },
        paint.thickness,
        paint.stroke,
      )
      if (rule) rules.push(rule)
    }
  }
  return { rules, fills, art }
}
