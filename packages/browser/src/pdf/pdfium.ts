import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'
import wasmUrl from '@embedpdf/pdfium/pdfium.wasm?url'
import { BrowserConversionError, damaged } from '../failure.ts'

// PDFium as WebAssembly. Its memory is freed with the worker, so nothing is released here but what recurs per page.

const wrongPassword = 4
const bytesPerPixel = 4
const renderAnnotations = 1
const withAlphaChannel = 1

export interface Pdfium extends WrappedPdfiumModule {
  readonly memory: Memory
}

export interface Memory {
  /** The address of a copy of the bytes. */
  copy(bytes: Uint8Array): number
  read(address: number, length: number): Uint8Array<ArrayBuffer>
  allocate(length: number): number
  free(address: number): void
}

export async function loadPdfium(): Promise<Pdfium> {
  const module = await init({ wasmBinary: await (await fetch(wasmUrl)).arrayBuffer() })
  module.PDFiumExt_Init()
  return Object.assign(module, { memory: memoryOf(module) })
}

function memoryOf(module: WrappedPdfiumModule): Memory {
  const { malloc, free } = module.pdfium.wasmExports
  // The array is another one after the memory has grown.
  const heap = () => (module.pdfium as unknown as { HEAPU8: Uint8Array<ArrayBuffer> }).HEAPU8
  const allocate = (length: number): number => {
    const address = malloc(length)
    if (!address) throw new BrowserConversionError('internal', 'The browser lacks memory for this file.')
    return address
  }
  return {
    allocate,
    free,
    copy(bytes) {
      const address = allocate(bytes.length)
      heap().set(bytes, address)
      return address
    },
    read: (address, length) => heap().slice(address, address + length),
  }
}

/** The number of an open document. */
export async function openDocument(pdfium: Pdfium, file: Blob, password = ''): Promise<number> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const document = pdfium.FPDF_LoadMemDocument(pdfium.memory.copy(bytes), bytes.length, password)
  if (document) return document
  if (pdfium.FPDF_GetLastError() === wrongPassword) {
    throw new BrowserConversionError('password-protected', 'The PDF is encrypted.')
  }
  throw damaged('pdf')
}

export function saveDocument(pdfium: Pdfium, document: number): Blob {
  const writer = pdfium.PDFiumExt_OpenFileWriter()
  pdfium.PDFiumExt_SaveAsCopy(document, writer)
  const size = pdfium.PDFiumExt_GetFileWriterSize(writer)
  if (size === 0) throw new BrowserConversionError('internal', 'The PDF could not be written.')
  const address = pdfium.memory.allocate(size)
  pdfium.PDFiumExt_GetFileWriterData(writer, address, size)
  const bytes = pdfium.memory.read(address, size)
  pdfium.memory.free(address)
  pdfium.PDFiumExt_CloseFileWriter(writer)
  return new Blob([bytes], { type: 'application/pdf' })
}

export function withPage<T>(pdfium: Pdfium, document: number, index: number, use: (page: number) => T): T {
  const page = pdfium.FPDF_LoadPage(document, index)
  if (!page) throw damaged('pdf')
  try {
    return use(page)
  } finally {
    pdfium.FPDF_ClosePage(page)
  }
}

/** Draws a page in this size, on white. */
export function drawPage(pdfium: Pdfium, page: number, width: number, height: number): ImageData {
  const bitmap = pdfium.FPDFBitmap_Create(width, height, withAlphaChannel)
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xff_ff_ff_ff)
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, renderAnnotations)
  const image = imageDataOf(pdfium, bitmap)
  pdfium.FPDFBitmap_Destroy(bitmap)
  return image
}

/** Copies a bitmap of PDFium, which has blue first. Opaque unless `withAlpha`. */
export function imageDataOf(pdfium: Pdfium, bitmap: number, withAlpha = false): ImageData {
  const [width, height] = [pdfium.FPDFBitmap_GetWidth(bitmap), pdfium.FPDFBitmap_GetHeight(bitmap)]
  const stride = pdfium.FPDFBitmap_GetStride(bitmap)
  const pixels = pdfium.memory.read(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height)
  const channels = Math.floor(stride / width)
  const image = new ImageData(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = y * stride + x * channels
      const to = (y * width + x) * bytesPerPixel
      const isGray = channels < 3
      image.data[to] = pixels[from + (isGray ? 0 : 2)] as number
      image.data[to + 1] = pixels[from + (isGray ? 0 : 1)] as number
      image.data[to + 2] = pixels[from] as number
      image.data[to + 3] = withAlpha && channels === bytesPerPixel ? (pixels[from + 3] as number) : 255
    }
  }
  return image
}
