import type { PageLines } from '../lines/lines.ts'
import type { PdfDocument } from '../read/page.ts'

/** Remarks for the reader about how the document was produced. */
export function remarksOn(pdf: PdfDocument, lines: readonly PageLines[]): string[] {
  const pages = (count: number): string => (count === 1 ? 'one page' : `${count} pages`)
  const out: string[] = []
  if (pdf.recognised > 0)
    out.push(`The text of ${pages(pdf.recognised)} was recognised from pictures and may hold errors.`)
  const unread = pdf.pages.filter((p, i) => p.scan && lines[i]?.textRuns.length === 0).length
  if (unread > 0) out.push(`On the picture of ${pages(unread)} no text could be recognised.`)
  return out
}
