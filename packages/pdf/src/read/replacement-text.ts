import { elementAt } from '../element-at.ts'
import { type Box, union } from '../geometry.ts'
import { usualSpace } from '../tolerances.ts'
import type { Glyph } from './page.ts'
import type { Pdfium } from './pdfium.ts'
import { applyBox, type Matrix } from './transform.ts'

// Several glyphs may have one replacement text (ActualText): browsers write syllables of Thai and Devanagari so. PDFium
// gives it the box of the first glyph, and repeats it for a glyph that is painted beyond the next syllable.

const textObject = 1

/** `handles` are the text objects by the order of their glyphs. */
export function mendReplacements(
  pdfium: Pdfium,
  { page, upright }: { page: number; upright: Matrix },
  glyphs: Glyph[],
  handles: readonly number[],
): Glyph[] {
  const { call, fast, scratch } = pdfium
  // The boxes of objects are those of their ink: side bearings are smaller than a space.
  const markOf = (object: number): number => {
    const count = call.FPDFPageObj_CountMarks(object)
    const mark = count > 0 ? call.FPDFPageObj_GetMark(object, count - 1) : 0
    return mark && call.FPDFPageObjMark_GetParamStringValue(mark, 'ActualText', 0, 0, scratch) ? mark : 0
  }
  const marks = new Map<number, number>()
  for (const [i, g] of glyphs.entries())
    if (i > 0 && isSameGlyph(elementAt(glyphs, i - 1), g) && !marks.has(g.order))
      marks.set(g.order, markOf(elementAt(handles, g.order)))
  if (![...marks.values()].some((mark) => mark > 0)) return glyphs
  const boxes = new Map<number, Box>()
  const count = call.FPDFPage_CountObjects(page)
  for (let i = 0; i < count; i++) {
    const object = fast.FPDFPage_GetObject(page, i)
    const mark = fast.FPDFPageObj_GetType(object) === textObject ? markOf(object) : 0
    if (!mark || !fast.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12))
      continue
    const box = applyBox(upright, pdfium.rect(scratch))
    boxes.set(mark, union([boxes.get(mark) ?? box, box]))
  }
  const owners = new Map<number, number>()
  const kept = glyphs.filter(({ order }) => {
    const mark = marks.get(order)
    if (!mark) return true
    if (!owners.has(mark)) owners.set(mark, order)
    return owners.get(mark) === order
  })
  for (let from = 0, to = 1; from < kept.length; from = to, to = from + 1) {
    const { order, x, size } = elementAt(kept, from)
    while (kept[to]?.order === order) to++
    const ink = boxes.get(marks.get(order) ?? 0)
    if (!ink) continue
    const x0 = Math.min(ink.x0, x)
    const next = kept[to]?.x ?? 0
    const x1 = next > ink.x1 && next - ink.x1 < usualSpace * size ? next : ink.x1
    const step = (x1 - x0) / (to - from)
    for (let i = from; i < to; i++) {
      const g = elementAt(kept, i)
      g.box = { ...g.box, x0: x0 + (i - from) * step, x1: x0 + (i - from + 1) * step }
    }
  }
  return kept
}

const isSameGlyph = (a: Glyph, b: Glyph): boolean => a.order === b.order && a.x === b.x && a.y === b.y
