import type { Box } from '../geometry.ts'
import type { Pdfium } from './pdfium.ts'

/** Default size of a page without one, in points. */
export const letter = { width: 612, height: 792 }

export function cropOf(pdfium: Pdfium, page: number): Box {
  const { call, scratch: s } = pdfium
  if (call.FPDF_GetPageBoundingBox(page, s)) {
    const box = {
      x0: pdfium.float(s),
      y0: pdfium.float(s + 12),
      x1: pdfium.float(s + 8),
      y1: pdfium.float(s + 4),
    }
    if (box.x1 - box.x0 > 1 && box.y1 - box.y0 > 1) return box
  }
  return { x0: 0, y0: 0, x1: letter.width, y1: letter.height }
}
