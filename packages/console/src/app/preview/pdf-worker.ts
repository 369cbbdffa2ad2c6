import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'
import wasmUrl from '@embedpdf/pdfium/pdfium.wasm?url'

// Renders pages of one PDF. The file is an output that the service has checked, but its content is untrusted: PDFium
// runs as WebAssembly in a separate worker, which ends with the preview.

export type PdfRequest = { file: ArrayBuffer } | { index: number }
export type PdfReply = { count: number } | { page: ImageData } | { fault: string }

const pageWidth = 700
const longestPage = 4 * pageWidth
const renderAnnotations = 1
const bytesPerPixel = 4

let pdfium: WrappedPdfiumModule | null = null
let document = 0

const reply = (message: PdfReply) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<PdfRequest>) => {
  const work = 'file' in data ? open(data.file) : draw(data.index)
  work.then(reply, (error: Error) => reply({ fault: error.message }))
})

async function open(file: ArrayBuffer): Promise<PdfReply> {
  pdfium = await init({ wasmBinary: await (await fetch(wasmUrl)).arrayBuffer() })
  pdfium.PDFiumExt_Init()
  const pointer = pdfium.pdfium.wasmExports.malloc(file.byteLength)
  memoryOf(pdfium).set(new Uint8Array(file), pointer)
  document = pdfium.FPDF_LoadMemDocument(pointer, file.byteLength, '')
  if (!document) throw new Error('The PDF cannot be opened.')
  return { count: pdfium.FPDF_GetPageCount(document) }
}

async function draw(index: number): Promise<PdfReply> {
  if (!pdfium) throw new Error('There is no document.')
  const page = pdfium.FPDF_LoadPage(document, index)
  if (!page) throw new Error('The page cannot be read.')
  const ratio = pdfium.FPDF_GetPageHeightF(page) / pdfium.FPDF_GetPageWidthF(page)
  const width = pageWidth
  const height = Math.max(1, Math.min(longestPage, Math.round(width * ratio)))
  const bitmap = pdfium.FPDFBitmap_Create(width, height, 0)
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xff_ff_ff_ff)
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, renderAnnotations)
  const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
  const pixels = memoryOf(pdfium).slice(start, start + width * height * bytesPerPixel)
  pdfium.FPDFBitmap_Destroy(bitmap)
  pdfium.FPDF_ClosePage(page)
  return { page: new ImageData(toRgba(pixels), width, height) }
}

/** The array is another one after the memory has grown. */
const memoryOf = (module: WrappedPdfiumModule) =>
  (module.pdfium as unknown as { HEAPU8: Uint8Array<ArrayBuffer> }).HEAPU8

/** PDFium writes blue first. */
function toRgba(pixels: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(pixels.length)
  for (let at = 0; at < pixels.length; at += bytesPerPixel) {
    rgba[at] = pixels[at + 2] as number
    rgba[at + 1] = pixels[at + 1] as number
    rgba[at + 2] = pixels[at] as number
    rgba[at + 3] = 255
  }
  return rgba
}
