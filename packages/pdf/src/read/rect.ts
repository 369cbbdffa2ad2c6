import type { Box } from '../geometry.ts'
import type { Pdfium } from './pdfium.ts'
import { applyBox, type Matrix } from './transform.ts'

/** An FS_RECTF (left, top, right, bottom as floats), transformed by the matrix. */
export function rectAt(pdfium: Pdfium, address: number, matrix: Matrix): Box {
  const [left, top, right, bottom] = [0, 4, 8, 12].map((o) => pdfium.float(address + o)) as [
    number,
    number,
    number,
    number,
  ]
  return applyBox(matrix, left, bottom, right, top)
}
