import type { Box } from '../geometry.ts'

/** a b c d e f, as in PDF: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [number, number, number, number, number, number]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** First `m`, then `n`. */
export function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[1] * n[2],
    m[0] * n[1] + m[1] * n[3],
    m[2] * n[0] + m[3] * n[2],
    m[2] * n[1] + m[3] * n[3],
    m[4] * n[0] + m[5] * n[2] + n[4],
    m[4] * n[1] + m[5] * n[3] + n[5],
  ]
}

/** For a matrix that rotates, translates and scales. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const size = a * d - b * c
  return [d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size]
}

export const applyX = (m: Matrix, x: number, y: number): number => m[0] * x + m[2] * y + m[4]
export const applyY = (m: Matrix, x: number, y: number): number => m[1] * x + m[3] * y + m[5]

/** The edges of the box may be in any order. */
export function applyBox(m: Matrix, { x0, y0, x1, y1 }: Box): Box {
  if (m[1] === 0 && m[2] === 0) {
    const xa = m[0] * x0 + m[4]
    const xb = m[0] * x1 + m[4]
    const ya = m[3] * y0 + m[5]
    const yb = m[3] * y1 + m[5]
    return { x0: Math.min(xa, xb), y0: Math.min(ya, yb), x1: Math.max(xa, xb), y1: Math.max(ya, yb) }
  }
  const xs = [applyX(m, x0, y0), applyX(m, x1, y0), applyX(m, x0, y1), applyX(m, x1, y1)]
  const ys = [applyY(m, x0, y0), applyY(m, x1, y0), applyY(m, x0, y1), applyY(m, x1, y1)]
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) }
}

/** From user space to the page as displayed, from its top left corner, after clockwise quarter turns. */
export function uprightMatrix(crop: Box, turns: number): { matrix: Matrix; width: number; height: number } {
  const w = crop.x1 - crop.x0
  const h = crop.y1 - crop.y0
  switch (((turns % 4) + 4) % 4) {
    case 1:
      return { matrix: [0, 1, 1, 0, -crop.y0, -crop.x0], width: h, height: w }
    case 2:
      return { matrix: [-1, 0, 0, 1, crop.x1, -crop.y0], width: w, height: h }
    case 3:
      return { matrix: [0, -1, -1, 0, crop.y1, crop.x1], width: h, height: w }
    default:
      return { matrix: [1, 0, 0, -1, -crop.x0, crop.y1], width: w, height: h }
  }
}
