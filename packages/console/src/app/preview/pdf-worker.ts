import {
  drawPage,
  loadPdfium,
  openDocument,
  type Pdfium,
  withPage,
} from '../../../../browser/src/pdf/pdfium.ts'

// Renders pages of one PDF. The file is an output that the service has checked, but its content is untrusted: PDFium
// runs as WebAssembly in a separate worker, which ends with the preview.

export type PdfRequest = { file: Blob } | { index: number }
export type PdfReply = { count: number } | { page: ImageData } | { fault: string }

const pageWidth = 700
const maxPageHeight = 4 * pageWidth

let opened: { pdfium: Pdfium; document: number } | null = null

const reply = (message: PdfReply) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<PdfRequest>) => {
  const work = 'file' in data ? open(data.file) : draw(data.index)
  work.then(reply, (error: Error) => reply({ fault: error.message }))
})

async function open(file: Blob): Promise<PdfReply> {
  const pdfium = await loadPdfium()
  opened = { pdfium, document: await openDocument(pdfium, file) }
  return { count: pdfium.FPDF_GetPageCount(opened.document) }
}

async function draw(index: number): Promise<PdfReply> {
  if (!opened) throw new Error('There is no document.')
  const { pdfium, document } = opened
  return withPage(pdfium, document, index, (page) => {
    const ratio = pdfium.FPDF_GetPageHeightF(page) / pdfium.FPDF_GetPageWidthF(page)
    const height = Math.max(1, Math.min(maxPageHeight, Math.round(pageWidth * ratio)))
    return { page: drawPage(pdfium, page, pageWidth, height) }
  })
}
