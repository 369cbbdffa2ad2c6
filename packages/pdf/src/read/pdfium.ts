import { createRequire } from 'node:module'
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'
import type { Box } from '../geometry.ts'
import { instantiate } from './machine-code.ts'

// PDFium as WebAssembly. Its API is plain C: every buffer is allocated and freed here.

export interface Pdfium {
  readonly call: WrappedPdfiumModule
  /** Called once per character, object or segment, directly in WebAssembly: the wrapper would double their time. */
  readonly fast: FastCalls
  /** 64 bytes for out-parameters; valid until the next call that uses it. */
  readonly scratch: number
  float(address: number): number
  double(address: number): number
  int(address: number): number
  /** Four floats: left, the lower or the upper edge, right, and the other edge. */
  rect(address: number): Box
  allocate(size: number): number
  free(address: number): void
  bytes(address: number, length: number): Uint8Array
  /** Reads a UTF-16 string through a `(buffer, size) => bytesNeeded` function. */
  wide(get: (buffer: number, size: number) => number): string
  /** The same for 8-bit strings. */
  narrow(get: (buffer: number, size: number) => number): string
}

export interface FastCalls {
  FPDFText_GetTextObject(page: number, index: number): number
  FPDFText_GetUnicode(page: number, index: number): number
  FPDFText_GetLooseCharBox(page: number, index: number, rect: number): number
  FPDFText_GetCharBox(page: number, index: number, x0: number, x1: number, y0: number, y1: number): number
  FPDFText_GetCharOrigin(page: number, index: number, x: number, y: number): number
  FPDFText_IsGenerated(page: number, index: number): number
  FPDFText_HasUnicodeMapError(page: number, index: number): number
  FPDFText_GetMatrix(page: number, index: number, matrix: number): number
  FPDFText_GetFontSize(page: number, index: number): number
  FPDFTextObj_GetFont(object: number): number
  FPDFTextObj_GetTextRenderMode(object: number): number
  FPDFPage_GetObject(page: number, index: number): number
  FPDFFormObj_GetObject(form: number, index: number): number
  FPDFPageObj_GetType(object: number): number
  FPDFPageObj_GetMatrix(object: number, matrix: number): number
  FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number
  FPDFPageObj_GetFillColor(object: number, r: number, g: number, b: number, a: number): number
  FPDFPageObj_GetStrokeColor(object: number, r: number, g: number, b: number, a: number): number
  FPDFPageObj_GetStrokeWidth(object: number, width: number): number
  FPDFPageObj_GetMarkedContentID(object: number): number
  FPDFPageObj_SetIsActive(object: number, active: number): number
  FPDFPath_CountSegments(path: number): number
  FPDFPath_GetDrawMode(path: number, fill: number, stroke: number): number
  FPDFPath_GetPathSegment(path: number, index: number): number
  FPDFPathSegment_GetType(segment: number): number
  FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number
  FPDFPathSegment_GetClose(segment: number): number
}

const longestString = 1 << 20
const decoders = { 'utf-16le': new TextDecoder('utf-16le'), 'utf-8': new TextDecoder('utf-8') }

let loaded: Promise<Pdfium> | undefined

/** Once per thread: compiling it takes longer than most pages. */
export function loadPdfium(): Promise<Pdfium> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<Pdfium> {
  const wasm = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')
  const overrides = {
    instantiateWasm(imports: object, receive: (instance: object) => void): object {
      const instance = instantiate(wasm, import.meta.dirname, imports)
      receive(instance)
      return instance.exports
    },
    // PDFium's messages about a hostile file could flood the log and hide our own line.
    print: () => {},
    printErr: () => {},
  }
  const call = await init(overrides)
  call.PDFiumExt_Init()
  const heap = call.pdfium as unknown as {
    HEAPU8: Uint8Array
    HEAP32: Int32Array
    HEAPF32: Float32Array
    HEAPF64: Float64Array
  }
  const { malloc, free } = call.pdfium.wasmExports
  const scratch = malloc(64)

  function text(get: (buffer: number, size: number) => number, encoding: 'utf-16le' | 'utf-8'): string {
    const size = get(0, 0)
    if (size <= (encoding === 'utf-8' ? 1 : 2) || size > longestString) return ''
    const buffer = malloc(size)
    try {
      get(buffer, size)
      const end = encoding === 'utf-8' ? size - 1 : size - 2
      return decoders[encoding].decode(heap.HEAPU8.slice(buffer, buffer + end))
    } finally {
      free(buffer)
    }
  }

  const float = (address: number): number => heap.HEAPF32[address >> 2] as number

  return {
    call,
    fast: call.pdfium.wasmExports as unknown as FastCalls,
    scratch,
    float,
    double: (address) => heap.HEAPF64[address >> 3] as number,
    int: (address) => heap.HEAP32[address >> 2] as number,
    rect: (at) => ({ x0: float(at), y0: float(at + 4), x1: float(at + 8), y1: float(at + 12) }),
    allocate: malloc,
    free,
    bytes: (address, length) => heap.HEAPU8.subarray(address, address + length),
    wide: (get) => text(get, 'utf-16le'),
    narrow: (get) => text(get, 'utf-8'),
  }
}
