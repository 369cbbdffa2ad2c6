import { availableParallelism } from 'node:os'
import { cropOf } from './crop.ts'
import { readDrawings } from './drawings.ts'
import { readGlyphs } from './glyphs.ts'
import type { OcrEngine } from './ocr/engine.ts'
import type { Font } from './page.ts'
import type { Pdfium } from './pdfium.ts'
import { type DrawnScan, drawScan, type PageContent } from './recognise.ts'
import { hasHiddenText, hasText, isScan } from './scans.ts'
import { type Matrix, uprightMatrix } from './transform.ts'

// Runs OCR of several pages in parallel: while one page is read, OCR of the next ones has already started. It only uses
// CPUs that other conversions leave idle: rendering a page computes and never waits, so its ratio of CPU time to wall
// time shows whether this process got a CPU whenever it could use one. Other processes, a CPU quota of the container
// and scheduler delays all show in it.

/** More pages at once gain little, and each takes memory. */
const maxAtOnce = 4
/** Minimum ratio of CPU time to wall time: with less, others wait for the CPUs as well. */
const minShare = 0.8

export interface ScansAhead {
  /** Starts OCR of the pages after this one, as many as there are additional CPUs, unless others use these. */
  begin(number: number): void
  /** The picture of a page whose OCR was started; otherwise `draw` renders it. */
  take(number: number, draw: () => DrawnScan | undefined): DrawnScan | undefined
}

export interface ScanSource {
  document: number
  pageCount: number
  ocrEngine: () => OcrEngine | undefined
  fontOf: (handle: number) => Font
}

export function readScansAhead(pdfium: Pdfium, source: ScanSource): ScansAhead {
  const drawn = new Map<number, DrawnScan>()
  const atOnce = Math.min(maxAtOnce, availableParallelism())
  let isBusy = false
  let next = 0
  const timed = (draw: () => DrawnScan | undefined): DrawnScan | undefined => {
    const [start, before] = [performance.now(), process.threadCpuUsage()]
    const scan = draw()
    const { user, system } = process.threadCpuUsage(before)
    isBusy = (user + system) / 1000 < minShare * (performance.now() - start)
    return scan
  }
  const draw = (number: number) => () => {
    const scan = timed(() => drawPage(pdfium, source, number))
    if (scan) drawn.set(number, scan)
    return scan?.image
  }
  return {
    begin(number) {
      next = Math.max(next, number + 1)
      if (isBusy) return
      for (; next < Math.min(source.pageCount, number + atOnce); next++)
        if (!source.ocrEngine()?.readAhead?.(draw(next))) return
    },
    take(number, draw) {
      const scan = drawn.get(number)
      drawn.delete(number)
      return scan ?? timed(draw)
    },
  }
}

function drawPage(pdfium: Pdfium, { document, fontOf }: ScanSource, number: number): DrawnScan | undefined {
  const { call } = pdfium
  const page = call.FPDF_LoadPage(document, number)
  if (!page) return undefined
  try {
    const content = readContent(pdfium, page, fontOf)
    if (!content?.scan || hasHiddenText(content.glyphs)) return undefined
    return drawScan(pdfium, page, content.pageBox, content.drawings.images)
  } finally {
    call.FPDF_ClosePage(page)
  }
}

/** Undefined for a page with so much text that it is not a scan, or already has a text layer. */
export function readContent(
  pdfium: Pdfium,
  page: number,
  fontOf: (handle: number) => Font,
): (PageContent & { upright: Matrix }) | undefined {
  const { call } = pdfium
  if (hasText(characters(pdfium, page))) return undefined
  const view = uprightMatrix(cropOf(pdfium, page), call.FPDFPage_GetRotation(page))
  const glyphs = readGlyphs(pdfium, { page, upright: view.matrix, fontOf, pageBox: view })
  const pageBox = { x0: 0, y0: 0, x1: view.width, y1: view.height }
  const drawings = readDrawings(pdfium, page, view.matrix, pageBox)
  return { drawings, glyphs, scan: isScan(drawings, glyphs, pageBox), pageBox, upright: view.matrix }
}

function characters({ call }: Pdfium, page: number): number {
  const textPage = call.FPDFText_LoadPage(page)
  if (!textPage) return 0
  const count = call.FPDFText_CountChars(textPage)
  call.FPDFText_ClosePage(textPage)
  return count
}
