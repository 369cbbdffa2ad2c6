import { type Box, intersection } from '../geometry.ts'
import { colorOf } from './glyphs.ts'
import { limits } from './limits.ts'
import type { Fill, Rule } from './page.ts'
import type { Pdfium } from './pdfium.ts'
import { hairline, type Subpath, sortPath } from './shapes.ts'
import { applyBox, applyX, applyY, identity, type Matrix, multiply } from './transform.ts'

// Traverses the drawing operations of a page, including form objects, and classifies the paths: straight lines and thin
// bars are rules, upright rectangles are fills, everything with curves or slopes is art.

/** Maximum number of segments of one path. Paths with more are maps or handwriting, which are rendered. */
const maxSegments = 4000

const typeText = 1
const typePath = 2
const typeImage = 3
const typeShading = 4
const typeForm = 5

export interface Art {
  box: Box
  object: number
}

export interface PlacedImage {
  object: number
  /** Maps the unit square to the upright page. */
  matrix: Matrix
  box: Box
}

export interface Drawings {
  rules: Rule[]
  fills: (Fill & { object: number })[]
  art: Art[]
  images: PlacedImage[]
  texts: number[]
  objects: number
}

export function readDrawings(pdfium: Pdfium, page: number, upright: Matrix, pageBox: Box): Drawings {
  const { call, fast, scratch: s } = pdfium
  const out: Drawings = { rules: [], fills: [], art: [], images: [], texts: [], objects: 0 }

  let segments = 0

  function readPath(object: number, toPage: Matrix): void {
    const m = multiply(matrixOf(pdfium, object) ?? identity, toPage)
    const count = fast.FPDFPath_CountSegments(object)
    if (count < 2) return
    segments += count
    if (segments > limits.segmentsPerPage) return
    const mode = fast.FPDFPath_GetDrawMode(object, s, s + 4)
    const filled = Boolean(mode) && pdfium.int(s) !== 0
    const stroked = Boolean(mode) && pdfium.int(s + 4) !== 0
    if (!filled && !stroked) return
    const fill = filled ? colorOf(pdfium, object, 'fill') : undefined
    const stroke = stroked ? colorOf(pdfium, object, 'stroke') : undefined
    if ((fill?.alpha ?? 0) === 0 && (stroke?.alpha ?? 0) === 0) return
    const subpaths: Subpath[] = []
    let current: Subpath | undefined
    for (let i = 0; i < Math.min(count, maxSegments); i++) {
      const segment = fast.FPDFPath_GetPathSegment(object, i)
      const type = fast.FPDFPathSegment_GetType(segment)
      fast.FPDFPathSegment_GetPoint(segment, s, s + 4)
      const x = pdfium.float(s)
      const y = pdfium.float(s + 4)
      const point = { x: applyX(m, x, y), y: applyY(m, x, y) }
      if (type === 2 || !current) {
        current = { points: [point], curved: false, closed: false }
        subpaths.push(current)
      } else {
        current.points.push(point)
        if (type === 1) current.curved = true
      }
      if (fast.FPDFPathSegment_GetClose(segment)) current.closed = true
    }
    const widthOut = fast.FPDFPageObj_GetStrokeWidth(object, s) ? pdfium.float(s) : 1
    const thickness = Math.max(hairline, widthOut * Math.sqrt(Math.abs(m[0] * m[3] - m[1] * m[2])))
    const sorted = sortPath(subpaths, {
      fill: fill && fill.alpha > 0 ? fill.color : undefined,
      stroke: stroke && stroke.alpha > 0 ? stroke.color : undefined,
      thickness,
    })
    for (const rule of sorted.rules) out.rules.push(rule)
    for (const box of sorted.fills) out.fills.push({ box, color: fill?.color ?? 'ffffff', object })
    for (const box of sorted.art) {
      const visible = intersection(box, pageBox)
      if (visible) out.art.push({ box: visible, object })
    }
  }

  function visit(object: number, toPage: Matrix, depth: number): void {
    if (++out.objects > limits.objectsPerPage) return
    switch (fast.FPDFPageObj_GetType(object)) {
      case typeText:
        out.texts.push(object)
        return
      case typePath:
        readPath(object, toPage)
        return
      case typeImage: {
        const matrix = multiply(matrixOf(pdfium, object) ?? identity, toPage)
        const box = intersection(applyBox(matrix, { x0: 0, y0: 0, x1: 1, y1: 1 }), pageBox)
        if (box) out.images.push({ object, matrix, box })
        return
      }
      case typeShading: {
        const box = boundsOf(pdfium, object, toPage)
        const visible = box && intersection(box, pageBox)
        if (visible) out.art.push({ box: visible, object })
        return
      }
      case typeForm: {
        if (depth >= limits.formDepth) return
        const inner = multiply(matrixOf(pdfium, object) ?? identity, toPage)
        const count = call.FPDFFormObj_CountObjects(object)
        for (let i = 0; i < count && out.objects <= limits.objectsPerPage; i++)
          visit(fast.FPDFFormObj_GetObject(object, i), inner, depth + 1)
      }
    }
  }

  const count = call.FPDFPage_CountObjects(page)
  for (let i = 0; i < count && out.objects <= limits.objectsPerPage; i++)
    visit(fast.FPDFPage_GetObject(page, i), upright, 0)
  return out
}

export function matrixOf({ fast, scratch: s, float }: Pdfium, object: number): Matrix | undefined {
  if (!fast.FPDFPageObj_GetMatrix(object, s)) return undefined
  return [float(s), float(s + 4), float(s + 8), float(s + 12), float(s + 16), float(s + 20)]
}

export function boundsOf(
  { fast, scratch: s, rect }: Pdfium,
  object: number,
  toPage: Matrix,
): Box | undefined {
  return fast.FPDFPageObj_GetBounds(object, s, s + 4, s + 8, s + 12) ? applyBox(toPage, rect(s)) : undefined
}
