import { ConversionFailure } from '../failure.ts'
import { fontReader } from './fonts.ts'
import type { OcrEngine } from './ocr/engine.ts'
import { originOf } from './ocr/grey.ts'
import { wordLines } from './ocr/words.ts'
import { type OpenPdf, openPdf } from './open.ts'
import type { Pdfium } from './pdfium.ts'
import { readByOcr, type ScanReading } from './recognise.ts'
import { baselineOf } from './scan-glyphs.ts'
import { type SizedLine, withSizes } from './scan-sizes.ts'
import { readContent, readScansAhead, type ScanSource, type ScansAhead } from './scans-ahead.ts'
import { applyX, applyY, inverse, type Matrix } from './transform.ts'

// The words of scanned pages with their positions: invisible text for a program that adds it to the PDF as a text
// layer. OCR does not run on pages that have text.

export interface TextLayer {
  pages: LayerPage[]
}

interface LayerPage {
  /** From 0. */
  page: number
  lines: LayerLine[]
}

/** In points of the page's user space. */
interface LayerLine {
  /** Start and end of its baseline. */
  from: readonly [x: number, y: number]
  to: readonly [x: number, y: number]
  size: number
  /** In reading order, with their distances from the start of the baseline. */
  words: (readonly [text: string, start: number, width: number])[]
}

export interface LayerOptions {
  ocrEngine: () => OcrEngine | undefined
  /** After this many seconds, OCR of further pages is not started. */
  seconds: number
  onPage: (done: number, of: number) => void
}

export interface LayerReading extends TextLayer {
  pageCount: number
  /** Scanned pages without text for which the time did not suffice, or on which OCR found no text; from 1. */
  unread: number[]
}

export function readTextLayer(pdfium: Pdfium, file: Uint8Array, options: LayerOptions): LayerReading {
  const end = performance.now() + 1000 * options.seconds
  const pdf = openIfPossible(pdfium, file)
  const found: LayerReading = { pages: [], unread: [], pageCount: pdf?.pageCount ?? 0 }
  if (!pdf) return found
  const { document, pageCount } = pdf
  const ocrEngine = (): OcrEngine | undefined => (performance.now() < end ? options.ocrEngine() : undefined)
  const source = { document, pageCount, ocrEngine, fontOf: fontReader(pdfium) }
  const ahead = readScansAhead(pdfium, source)
  try {
    for (let page = 0; page < pageCount; page++) {
      const lines = readLines(pdfium, page, source, ahead)
      if (lines && lines.length > 0) found.pages.push({ page, lines })
      else if (lines) found.unread.push(page + 1)
      options.onPage(page + 1, pdf.pageCount)
    }
    return found
  } finally {
    pdf.close()
  }
}

/** A file that PDFium cannot open may still become an archive, without a text layer. */
function openIfPossible(pdfium: Pdfium, file: Uint8Array): OpenPdf | undefined {
  try {
    return openPdf(pdfium, file)
  } catch (error) {
    if (error instanceof ConversionFailure) return undefined
    throw error
  }
}

/** Undefined for a page that is not a scan, or has text. */
function readLines(
  pdfium: Pdfium,
  number: number,
  source: ScanSource,
  ahead: ScansAhead,
): LayerLine[] | undefined {
  const { call } = pdfium
  const page = call.FPDF_LoadPage(source.document, number)
  if (!page) return undefined
  try {
    const content = readContent(pdfium, page, source.fontOf)
    if (!content) return undefined
    let isAsked = false
    const ocrEngine = (): OcrEngine | undefined => {
      isAsked = content.scan
      return source.ocrEngine()
    }
    const { reading } = readByOcr(pdfium, page, content, { number, ocrEngine, ahead, recogniseAll: false })
    return reading ? linesOf(reading, inverse(content.upright)) : isAsked ? [] : undefined
  } finally {
    call.FPDF_ClosePage(page)
  }
}

const linesOf = (reading: ScanReading, toUser: Matrix): LayerLine[] =>
  withSizes(wordLines(reading.words).map((words) => ({ words, bold: false }))).map((line) =>
    lineOf(line, reading, toUser),
  )

function lineOf(
  { words: line, size }: SizedLine,
  { image, dotsPerPoint }: ScanReading,
  toUser: Matrix,
): LayerLine {
  const baseline = baselineOf(line, size)
  const left = Math.min(...line.map((word) => word.left))
  const right = Math.max(...line.map((word) => word.left + word.width))
  const placed = (x: number): readonly [number, number] => {
    const at = originOf(image, x, baseline)
    const [px, py] = [at.x / dotsPerPoint, at.y / dotsPerPoint]
    return [rounded(applyX(toUser, px, py)), rounded(applyY(toUser, px, py))]
  }
  return {
    from: placed(left),
    to: placed(right),
    size: rounded(size / dotsPerPoint),
    words: line.map((word) => [
      word.text,
      rounded((word.left - left) / dotsPerPoint),
      rounded(word.width / dotsPerPoint),
    ]),
  }
}

/** To a hundredth of a point. */
const rounded = (value: number): number => Math.round(100 * value) / 100
