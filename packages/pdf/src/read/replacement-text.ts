import { elementAt } from '../element-at.ts'
import type { Glyph } from './page.ts'
import type { Pdfium } from './pdfium.ts'

// Several glyphs may have one replacement text (ActualText): browsers write syllables of Thai and Devanagari so. PDFium
// gives it the box of the first glyph, and repeats it for a glyph that is painted beyond the next syllable.

/** In ems: the other glyphs of a syllable are not wider, and spaces are glyphs of their own. */
const widestRest = 1

/** `handles` are the text objects by the order of their glyphs. */
export function mendReplacements(
  { call, scratch }: Pdfium,
  glyphs: Glyph[],
  handles: readonly number[],
): Glyph[] {
  const markOf = (object: number): number => {
    const count = call.FPDFPageObj_CountMarks(object)
    const mark = count > 0 ? call.FPDFPageObj_GetMark(object, count - 1) : 0
    return mark && call.FPDFPageObjMark_GetParamStringValue(mark, 'ActualText', 0, 0, scratch) ? mark : 0
  }
  const marks = new Map<number, number>()
  let last: Glyph | undefined
  for (const g of glyphs) {
    const isSameGlyph = last?.order === g.order && last.x === g.x && last.y === g.y
    if (isSameGlyph && !marks.has(g.order)) marks.set(g.order, markOf(elementAt(handles, g.order)))
    last = g
  }
  if (![...marks.values()].some((mark) => mark > 0)) return glyphs
  const owners = new Map<number, number>()
  const kept = glyphs.filter(({ order }) => {
    const mark = marks.get(order)
    if (mark && !owners.has(mark)) owners.set(mark, order)
    return !mark || owners.get(mark) === order
  })
  for (let from = 0, to = 1; from < kept.length; from = to, to = from + 1) {
    const { order, box, size, x } = elementAt(kept, from)
    while (kept[to]?.order === order) to++
    const { x1 } = elementAt(kept, to - 1).box
    const next = kept[to]?.x ?? 0
    if (!marks.get(order) || next < x1 || next > x1 + widestRest * size) continue
    const x0 = Math.min(x, box.x0)
    const step = (next - x0) / (to - from)
    for (let i = from; i < to; i++) {
      const g = elementAt(kept, i)
      g.box = { ...g.box, x0: x0 + (i - from) * step, x1: x0 + (i - from + 1) * step }
    }
  }
  return kept
}
