import { type Box, contains } from '../geometry.ts'
import { emptyFieldMark } from '../marks.ts'
import type { Field, Font, Glyph } from './page.ts'
import type { Pdfium } from './pdfium.ts'
import { applyBox, type Matrix } from './transform.ts'

const widget = 20
const kinds: Record<number, Field['kind']> = {
  1: 'button',
  2: 'check',
  3: 'radio',
  4: 'choice',
  5: 'choice',
  6: 'text',
  7: 'signature',
}
const mostFields = 5000

export function readFields(pdfium: Pdfium, form: number, page: number, upright: Matrix): Field[] {
  const { call, scratch: s } = pdfium
  const out: Field[] = []
  const count = Math.min(call.FPDFPage_GetAnnotCount(page), mostFields)
  for (let i = 0; i < count; i++) {
    const annot = call.FPDFPage_GetAnnot(page, i)
    if (!annot) continue
    try {
      if (call.FPDFAnnot_GetSubtype(annot) !== widget) continue
      const kind = kinds[call.FPDFAnnot_GetFormFieldType(form, annot)]
      if (!kind || !call.FPDFAnnot_GetRect(annot, s)) continue
      const box = applyBox(
        upright,
        pdfium.float(s),
        pdfium.float(s + 12),
        pdfium.float(s + 8),
        pdfium.float(s + 4),
      )
      const options: string[] = []
      if (kind === 'choice') {
        const n = Math.min(call.FPDFAnnot_GetOptionCount(form, annot), 500)
        for (let o = 0; o < n; o++)
          options.push(
            pdfium.wide((buffer, size) => call.FPDFAnnot_GetOptionLabel(form, annot, o, buffer, size)).trim(),
          )
      }
      out.push({
        box,
        kind,
        name: pdfium.wide((buffer, size) => call.FPDFAnnot_GetFormFieldName(form, annot, buffer, size)),
        value: pdfium.wide((buffer, size) => call.FPDFAnnot_GetFormFieldValue(form, annot, buffer, size)),
        checked: (kind === 'check' || kind === 'radio') && call.FPDFAnnot_IsChecked(form, annot),
        options,
      })
    } finally {
      call.FPDFPage_CloseAnnot(annot)
    }
  }
  return out
}

const font: Font = {
  name: 'Helvetica',
  bold: false,
  italic: false,
  serif: false,
  mono: false,
  ascent: 0.9,
  descent: 0.22,
  spacing: 0,
}

const rowOf = (y: number): number => Math.floor(Math.min(1e6, Math.max(-1e6, y)) / 8)

/** Fields that show no text of their own get a mark where it would stand, so that they keep their place. */
export function fieldMarks(fields: readonly Field[], glyphs: readonly Glyph[]): Glyph[] {
  const out: Glyph[] = []
  if (fields.length === 0) return out
  const rows = new Map<number, Glyph[]>()
  for (const g of glyphs) {
    if (!g.text.trim()) continue
    const key = rowOf(g.y - 0.3 * g.size)
    const row = rows.get(key)
    if (row) row.push(g)
    else rows.set(key, [g])
  }
  const showsText = (box: Box): boolean => {
    for (let key = rowOf(box.y0); key <= rowOf(box.y1); key++)
      if (rows.get(key)?.some((g) => contains(box, (g.box.x0 + g.box.x1) / 2, g.y - 0.3 * g.size)))
        return true
    return false
  }
  for (const field of fields) {
    if (field.kind === 'button' || field.kind === 'signature') continue
    const { box } = field
    const tall = box.y1 - box.y0
    if (!(tall > 3 && box.x1 - box.x0 > 3)) continue
    if (showsText(box)) continue
    const size = Math.min(11, Math.max(5, 0.75 * tall))
    const y = Math.min(box.y1 - 0.22 * size, box.y0 + 1.1 * size)
    out.push({
      text: emptyFieldMark,
      x: box.x0,
      y,
      box: { x0: box.x0, x1: box.x1, y0: y - 0.9 * size, y1: y + 0.22 * size },
      size,
      font,
      color: '000000',
      turn: 0,
      slanted: false,
      order: -1,
      tag: -1,
      invisible: false,
    })
  }
  return out
}
