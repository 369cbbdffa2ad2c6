import type { Box } from '../geometry.ts'
import type { Pdfium } from './pdfium.ts'
import { applyBox, identity } from './transform.ts'

/** Default size of a page without one, in points. */
export const letter = { width: 612, height: 792 }

export function cropOf(pdfium: Pdfium, page: number): Box {
  const { call, scratch: s } = pdfium
  if (call.FPDF_GetPageBoundingBox(page, s)) {
    const box = applyBox(identity, pdfium.rect(s))
    if (box.x1 - box.x0 > 1 && box.y1 - box.y0 > 1) return box
  }
  return { x0: 0, y0: 0, x1: letter.width, y1: letter.height }
}
