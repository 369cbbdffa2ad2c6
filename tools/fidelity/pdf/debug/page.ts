import { elementAt } from '../../../../packages/pdf/src/element-at.ts'
import { layOutPages } from '../../../../packages/pdf/src/layout/pages.ts'
import { findLines } from '../../../../packages/pdf/src/lines/lines.ts'
import { openPdf } from '../../../../packages/pdf/src/read/open.ts'
import { loadPdfium, type Pdfium } from '../../../../packages/pdf/src/read/pdfium.ts'
import { drawRegion } from '../../../../packages/pdf/src/read/pictures.ts'
import { encodePng } from '../../../../packages/pdf/src/read/png.ts'
import { readPdf } from '../../../../packages/pdf/src/read/read.ts'
import { understand } from '../../../../packages/pdf/src/understand.ts'
import { writeHtml } from '../../../../packages/pdf/src/write/html.ts'
import { writeMarkdown } from '../../../../packages/pdf/src/write/markdown.ts'
import { viewPage } from './viewer.ts'

/** One page with the results of every stage and the output, as HTML. `number` counts from 1. */
export async function debugPage(file: Uint8Array, number: number): Promise<string> {
  const pdfium = await loadPdfium()
  const pdf = readPdf(pdfium, file)
  const page = pdf.pages[number - 1]
  if (!page) throw new Error(`The PDF has ${pdf.pages.length} pages; there is no page ${number}.`)
  const all = pdf.pages.map(findLines)
  const lines = elementAt(all, number - 1)
  const { pages, running: ran } = layOutPages(pdf, all, false)
  const running = [...(ran.header[number - 1] ?? []), ...(ran.footer[number - 1] ?? [])]
  const { tables = [], bands = [] } = pages[number - 1] ?? {}
  const document = understand(pdf, all)
  const sections = document.sections.map((s) => ({
    ...s,
    blocks: s.blocks.filter((b) => b.page === number - 1),
  }))
  const own = { ...document, sections, notes: [], remarks: [] }
  return viewPage({
    page,
    lines,
    running,
    tables,
    bands,
    blocks: sections.flatMap((s) => s.blocks),
    picture: pictureOf(pdfium, file, number - 1, page),
    markdown: writeMarkdown(own),
    html: writeHtml(own),
  })
}

/** Pixels per point; enough to read small print. */
const scale = 2

function pictureOf(
  pdfium: Pdfium,
  file: Uint8Array,
  index: number,
  size: { width: number; height: number },
): Uint8Array | undefined {
  const pdf = openPdf(pdfium, file)
  const page = pdfium.call.FPDF_LoadPage(pdf.document, index)
  try {
    const bitmap = page && drawRegion(pdfium, page, { x0: 0, y0: 0, x1: size.width, y1: size.height }, scale)
    return bitmap ? encodePng(bitmap) : undefined
  } finally {
    if (page) pdfium.call.FPDF_ClosePage(page)
    pdf.close()
  }
}
