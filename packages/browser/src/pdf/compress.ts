import { drawScaled } from '../images/encode.ts'
import { imageDataOf, type Pdfium } from './pdfium.ts'

// Scans and photographs make a PDF large. Images with more pixels than a page shows are made smaller and stored as
// JPEG. Text, drawings and images with transparency stay as they are.

const imageObject = 3
/** Pixels per inch of the page: sharp on a screen and readable in print. */
const targetDpi = 150
const quality = 0.75
/** Smaller images gain nothing. */
const minBytes = 20_000

export async function compressImages(
  pdfium: Pdfium,
  document: number,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const count = pdfium.FPDF_GetPageCount(document)
  for (let index = 0; index < count; index++) {
    const page = pdfium.FPDF_LoadPage(document, index)
    if (page && (await compressPage(pdfium, document, page))) pdfium.FPDFPage_GenerateContent(page)
    if (page) pdfium.FPDF_ClosePage(page)
    onProgress((index + 1) / count)
  }
}

async function compressPage(pdfium: Pdfium, document: number, page: number): Promise<boolean> {
  let isChanged = false
  for (let index = 0; index < pdfium.FPDFPage_CountObjects(page); index++) {
    const object = pdfium.FPDFPage_GetObject(page, index)
    if (pdfium.FPDFPageObj_GetType(object) !== imageObject) continue
    const before = pdfium.FPDFImageObj_GetImageDataRaw(object, 0, 0)
    if (before < minBytes || isTransparent(pdfium, document, page, object)) continue
    const jpeg = await smallerJpeg(pdfium, page, object)
    if (jpeg && jpeg.length < before) isChanged = replaceImage(pdfium, page, object, jpeg) || isChanged
  }
  return isChanged
}

/** As the page shows it, at one pixel per point. The edge of an image may cover pixels in part. */
function isTransparent(pdfium: Pdfium, document: number, page: number, object: number): boolean {
  const bitmap = pdfium.FPDFImageObj_GetRenderedBitmap(document, page, object)
  if (!bitmap) return true
  const { data, width, height } = imageDataOf(pdfium, bitmap, true)
  pdfium.FPDFBitmap_Destroy(bitmap)
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) if (data[(y * width + x) * 4 + 3] !== 255) return true
  }
  return false
}

async function smallerJpeg(pdfium: Pdfium, page: number, object: number): Promise<Uint8Array | null> {
  const bitmap = pdfium.FPDFImageObj_GetBitmap(object)
  if (!bitmap) return null
  const image = imageDataOf(pdfium, bitmap)
  pdfium.FPDFBitmap_Destroy(bitmap)
  const scale = Math.min(1, targetDpi / dpiOf(pdfium, page, object))
  const { canvas } = drawScaled(await createImageBitmap(image), scale, false)
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality })
  return new Uint8Array(await blob.arrayBuffer())
}

/** The lower of both directions; FPDF_IMAGEOBJ_METADATA has it as floats after width and height. */
function dpiOf(pdfium: Pdfium, page: number, object: number): number {
  const address = pdfium.memory.allocate(28)
  const isKnown = pdfium.FPDFImageObj_GetImageMetadata(object, page, address)
  const view = new DataView(pdfium.memory.read(address, 28).buffer)
  pdfium.memory.free(address)
  return isKnown ? Math.min(view.getFloat32(8, true), view.getFloat32(12, true)) : targetDpi
}

function replaceImage(pdfium: Pdfium, page: number, object: number, jpeg: Uint8Array): boolean {
  const data = pdfium.memory.copy(jpeg)
  const pages = pdfium.memory.copy(new Uint8Array(new Uint32Array([page]).buffer))
  const isDone = pdfium.EPDFImageObj_SetJpeg(pages, 1, object, data, jpeg.length)
  pdfium.memory.free(pages)
  pdfium.memory.free(data)
  return isDone
}
