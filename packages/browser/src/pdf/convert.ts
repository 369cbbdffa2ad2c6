import { makeZip } from 'client-zip'
import { damaged } from '../failure.ts'
import { encodeImage } from '../images/encode.ts'
import { maxPixels } from '../limits.ts'
import type { ConversionRequest } from '../request.ts'
import { compressImages } from './compress.ts'
import { pageIndexes } from './page-ranges.ts'
import { drawPage, loadPdfium, openDocument, type Pdfium, saveDocument, withPage } from './pdfium.ts'

type OnProgress = (fraction: number) => void

const pointsPerInch = 72

export async function convert(request: ConversionRequest, onProgress: OnProgress): Promise<Blob> {
  const pdfium = await loadPdfium()
  const documents: number[] = []
  for (const file of request.files) documents.push(await openDocument(pdfium, file, request.password))
  const document = arrange(pdfium, documents, request.pages)
  if (request.to !== 'pdf') return drawPages(pdfium, document, request, onProgress)
  if (request.rotate) rotatePages(pdfium, document, request.rotate)
  if (request.split) return splitPages(pdfium, document, onProgress)
  if (!request.compress) return saveDocument(pdfium, document)
  await compressImages(pdfium, document, (fraction) => onProgress(0.9 * fraction))
  const compressed = saveDocument(pdfium, document)
  const [original] = request.files
  const isOnlyCompressed = request.files.length === 1 && !request.pages && !request.rotate
  return isOnlyCompressed && original && original.size <= compressed.size
    ? original.slice(0, original.size, compressed.type)
    : compressed
}

/** One document with the chosen pages of all. A single document stays as it is, with its outline and forms. */
function arrange(pdfium: Pdfium, documents: readonly number[], pages: string | undefined): number {
  const [first = 0] = documents
  if (documents.length === 1 && !pages) return first
  const merged = pdfium.FPDF_CreateNewDocument()
  for (const document of documents) {
    const count = pdfium.FPDF_GetPageCount(document)
    append(pdfium, merged, document, pageIndexes(documents.length === 1 && pages ? pages : '1-', count))
  }
  return merged
}

function append(pdfium: Pdfium, target: number, source: number, indexes: readonly number[]): void {
  const list = pdfium.memory.copy(new Uint8Array(Int32Array.from(indexes).buffer))
  const end = pdfium.FPDF_GetPageCount(target)
  const isDone = pdfium.FPDF_ImportPagesByIndex(target, source, list, indexes.length, end)
  pdfium.memory.free(list)
  if (!isDone) throw damaged('pdf')
}

function rotatePages(pdfium: Pdfium, document: number, degrees: number): void {
  const count = pdfium.FPDF_GetPageCount(document)
  for (let index = 0; index < count; index++) {
    withPage(pdfium, document, index, (page) => {
      const turns = pdfium.FPDFPage_GetRotation(page) + Math.round(degrees / 90)
      pdfium.FPDFPage_SetRotation(page, ((turns % 4) + 4) % 4)
    })
  }
}

function splitPages(pdfium: Pdfium, document: number, onProgress: OnProgress): Promise<Blob> {
  return zipOfPages(pdfium.FPDF_GetPageCount(document), 'pdf', onProgress, (index) => {
    const single = pdfium.FPDF_CreateNewDocument()
    append(pdfium, single, document, [index])
    const blob = saveDocument(pdfium, single)
    pdfium.FPDF_CloseDocument(single)
    return blob
  })
}

/** One image, or a zip with an image of each page. */
async function drawPages(
  pdfium: Pdfium,
  document: number,
  request: ConversionRequest,
  onProgress: OnProgress,
): Promise<Blob> {
  const count = pdfium.FPDF_GetPageCount(document)
  const drawOne = async (index: number) => {
    const image = withPage(pdfium, document, index, (page) => drawAt(pdfium, page, request.dpi ?? 150))
    const bitmap = await createImageBitmap(image)
    const { to, quality } = request
    return encodeImage(bitmap, { to, quality, isPhotograph: false, onProgress: () => {} })
  }
  return count === 1 ? drawOne(0) : zipOfPages(count, request.to, onProgress, drawOne)
}

function drawAt(pdfium: Pdfium, page: number, dpi: number): ImageData {
  const [width, height] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)]
  const wanted = dpi / pointsPerInch
  // A very large page is drawn smaller: PDFium and the canvas each hold a copy.
  const scale = Math.min(wanted, Math.sqrt(maxPixels / 4 / (width * height)))
  const [columns, rows] = [width, height].map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ]
  return drawPage(pdfium, page, columns, rows)
}

async function zipOfPages(
  count: number,
  extension: string,
  onProgress: OnProgress,
  make: (index: number) => Blob | Promise<Blob>,
): Promise<Blob> {
  const digits = String(count).length
  async function* entries() {
    for (let index = 0; index < count; index++) {
      const name = `page ${String(index + 1).padStart(digits, '0')}.${extension}`
      yield { name, input: await make(index), lastModified: new Date() }
      onProgress((index + 1) / count)
    }
  }
  const zip = await new Response(makeZip(entries())).blob()
  return zip.slice(0, zip.size, 'application/zip')
}
