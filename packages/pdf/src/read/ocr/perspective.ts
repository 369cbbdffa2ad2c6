import { elementAt } from '../../element-at.ts'
import { median } from '../../geometry.ts'
import type { Grey } from './grey.ts'
import { type Projection, warped } from './warp.ts'

// Photographs of a sheet from an angle: the four edges of the sheet on a darker table show the perspective.

/** In inches. */
const cellSide = 0.05
/** Paper is this many times as bright as the table beside it. */
const minContrast = 1.25
/** Cells between the two that are compared: an edge is blurred. */
const blurred = 2
/** Brightness (0 to 255) of the darkest paper. */
const minPaper = 64
/** An edge is dark beside light along this share of its length. */
const minSupport = 0.6
/** In cells: how far the point found in a row or column may be off its edge. */
const maxOffset = 1
/** Slope of an edge to the side of the picture. */
const maxSlope = 0.5
/** Pairs of positions that are tried as edges. */
const maxPairs = 400
/** Minimum share of the picture within the sheet. */
const minArea = 0.3
/** A corner of the sheet that is off a rectangle by more, as a share of the width, shows perspective or skew. */
const minBend = 0.01

/** In inches: the edge of a sheet is blurred, and not quite straight. */
const margin = 0.1

interface Point {
  x: number
  y: number
}
/** `at + slope * along`: the side of a sheet that lies along the x-axis or the y-axis. */
interface Edge {
  at: number
  slope: number
}

/** The sheet as seen from above, on white; the picture itself if it does not show a sheet in perspective. */
export function rectified(image: Grey): Grey {
  const corners = cornersOf(image)
  if (!corners) return image
  const [a, b, c, d] = corners
  const [wide, tall] = [(distance(a, b) + distance(d, c)) / 2, (distance(a, d) + distance(b, c)) / 2]
  const centre = { x: (a.x + b.x + c.x + d.x) / 4, y: (a.y + b.y + c.y + d.y) / 4 }
  const sheet = {
    left: centre.x - wide / 2,
    right: centre.x + wide / 2,
    top: centre.y - tall / 2,
    bottom: centre.y + tall / 2,
  }
  const { left, right, top, bottom } = sheet
  const bend = Math.max(
    ...[
      left - a.x,
      top - a.y,
      right - b.x,
      top - b.y,
      right - c.x,
      bottom - c.y,
      left - d.x,
      bottom - d.y,
    ].map(Math.abs),
  )
  if (wide * tall < minArea * image.width * image.height || bend < minBend * image.width) return image
  const inner = margin * image.dotsPerInch
  return warped(image, onto(corners, sheet.left, sheet.top, wide, tall), {
    left: sheet.left + inner,
    right: sheet.right - inner,
    top: sheet.top + inner,
    bottom: sheet.bottom - inner,
  })
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)

/** Clockwise from the upper left; undefined if the picture does not show all edges of a sheet. */
function cornersOf(image: Grey): readonly [Point, Point, Point, Point] | undefined {
  const cells = brightness(image)
  const [left, right, top, bottom] = [
    edgeOf(cells.rows, 1),
    edgeOf(cells.rows, -1),
    edgeOf(cells.columns, 1),
    edgeOf(cells.columns, -1),
  ]
  if (!left || !right || !top || !bottom) return undefined
  const cornerOf = (side: Edge, end: Edge): Point => {
    const y = (end.at + end.slope * side.at) / (1 - end.slope * side.slope)
    return { x: (side.at + side.slope * y) * cells.side, y: y * cells.side }
  }
  return [cornerOf(left, top), cornerOf(right, top), cornerOf(right, bottom), cornerOf(left, bottom)]
}

/** Mean brightness of the cells of a picture, by row and by column. */
function brightness({ width, height, dotsPerInch, pixels }: Grey): {
  side: number
  rows: number[][]
  columns: number[][]
} {
  const side = Math.max(2, Math.round(cellSide * dotsPerInch))
  const rows = Array.from({ length: Math.floor(height / side) }, (_, row) =>
    Array.from({ length: Math.floor(width / side) }, (_, column) => {
      let sum = 0
      // The pixels of a diagonal represent the cell.
      for (let i = 0; i < side; i++) sum += pixels[(row * side + i) * width + column * side + i] as number
      return sum / side
    }),
  )
  return { side, rows, columns: (rows[0] ?? []).map((_, x) => rows.map((row) => row[x] ?? 0)) }
}

/** The edge of the sheet, looked for from the start or from the end of each line of cells. */
function edgeOf(lines: readonly (readonly number[])[], direction: 1 | -1): Edge | undefined {
  const found = lines.flatMap((line, along) => {
    const at = firstStep(direction === 1 ? line : line.toReversed())
    return at === undefined ? [] : [{ along, at: direction === 1 ? at : line.length - at }]
  })
  // The sheet covers most lines; the others cross the table alone.
  if (found.length < minSupport * minSupport * lines.length) return undefined
  let best: { edge: Edge; support: number } | undefined
  const step = Math.max(1, Math.floor(found.length / Math.sqrt(maxPairs)))
  for (let i = 0; i < found.length; i += step)
    for (let k = i + Math.floor(found.length / 4); k < found.length; k += step) {
      const [one, other] = [elementAt(found, i), elementAt(found, k)]
      const slope = (other.at - one.at) / (other.along - one.along)
      if (Math.abs(slope) > maxSlope) continue
      const edge = { slope, at: one.at - slope * one.along }
      const support = found.filter((p) => offLine(edge, p) <= maxOffset).length
      if (!best || support > best.support) best = { edge, support }
    }
  if (!best || best.support < minSupport * found.length) return undefined
  const { edge } = best
  const own = found.filter((p) => offLine(edge, p) <= maxOffset)
  const half = Math.floor(own.length / 2)
  const middle = (points: typeof own) => ({
    along: median(points.map((p) => p.along)),
    at: points.reduce((sum, p) => sum + p.at, 0) / points.length,
  })
  const [one, other] = [middle(own.slice(0, half)), middle(own.slice(half))]
  const slope = (other.at - one.at) / (other.along - one.along)
  return { slope, at: one.at - slope * one.along }
}

const offLine = ({ at, slope }: Edge, p: { along: number; at: number }): number =>
  Math.abs(p.at - at - slope * p.along)

/** Index of the first cell that is much brighter than all cells before the edge: a page without a table has no such cell. */
function firstStep(line: readonly number[]): number | undefined {
  let table = minPaper / minContrast
  for (let i = blurred; i < line.length; i++) {
    table = Math.max(table, elementAt(line, i - blurred))
    if (elementAt(line, i) > minContrast * table) return i
  }
  return undefined
}

/** Maps the rectangle to the quadrilateral. */
function onto(
  [a, b, c, d]: readonly [Point, Point, Point, Point],
  left: number,
  top: number,
  wide: number,
  tall: number,
): Projection {
  // The unit square first: the two differences that perspective makes give the divisor.
  const [x1, y1] = [b.x - c.x, b.y - c.y]
  const [x2, y2] = [d.x - c.x, d.y - c.y]
  const [x3, y3] = [a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y]
  const determinant = x1 * y2 - x2 * y1
  const g = (x3 * y2 - x2 * y3) / determinant
  const h = (x1 * y3 - x3 * y1) / determinant
  const rows = [
    [b.x - a.x + g * b.x, d.x - a.x + h * d.x, a.x],
    [b.y - a.y + g * b.y, d.y - a.y + h * d.y, a.y],
    [g, h, 1],
  ]
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = rows.flatMap(([u = 0, v = 0, w = 0]) => [
    u / wide,
    v / tall,
    w - (u * left) / wide - (v * top) / tall,
  ])
  return [m0 ?? 0, m1 ?? 0, m2 ?? 0, m3 ?? 0, m4 ?? 0, m5 ?? 0, m6 ?? 0, m7 ?? 0, m8 ?? 0]
}
