import type { Field } from './page.ts'
import type { Pdfium } from './pdfium.ts'
import { applyBox, identity } from './transform.ts'

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
/** Real forms have a tenth of it on a page; the longest usual lists of options are countries. */
const maxFields = 5000
const maxOptions = 500

/** The fields of a page, with boxes in PDF coordinates. */
export function readFields(pdfium: Pdfium, form: number, page: number): Field[] {
  const { call } = pdfium
  const count = Math.min(call.FPDFPage_GetAnnotCount(page), maxFields)
  if (count < 1) return []
  // PDFium does not know which boxes are checked before this call; it also paints values that were not painted.
  call.FORM_OnAfterLoadPage(page, form)
  try {
    return readWidgets(pdfium, form, page, count)
  } finally {
    call.FORM_OnBeforeClosePage(page, form)
  }
}

function readWidgets(pdfium: Pdfium, form: number, page: number, count: number): Field[] {
  const { call, scratch: s } = pdfium
  const out: Field[] = []
  for (let i = 0; i < count; i++) {
    const annot = call.FPDFPage_GetAnnot(page, i)
    if (!annot) continue
    try {
      if (call.FPDFAnnot_GetSubtype(annot) !== widget) continue
      const kind = kinds[call.FPDFAnnot_GetFormFieldType(form, annot)]
      if (!kind || !call.FPDFAnnot_GetRect(annot, s)) continue
      const box = applyBox(identity, pdfium.rect(s))
      const options: string[] = []
      if (kind === 'choice') {
        const n = Math.min(call.FPDFAnnot_GetOptionCount(form, annot), maxOptions)
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
