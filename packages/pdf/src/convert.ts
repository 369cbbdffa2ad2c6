import { type Facts, listenToRecognition } from './facts.ts'
import { ConversionFailure } from './failure.ts'
import { findLines, type PageLines } from './lines/lines.ts'
import { findOcrEngine } from './read/ocr/engine.ts'
import type { PdfDocument } from './read/page.ts'
import { loadPdfium, type Pdfium } from './read/pdfium.ts'
import { readPdf } from './read/read.ts'
import { understand } from './understand.ts'
import { findPageMarks, noMarks } from './write/content.ts'
import { writeCsv } from './write/csv.ts'
import { writeDocx } from './write/docx.ts'
import { findTables } from './write/found-tables.ts'
import { writeHtml } from './write/html.ts'
import { writeJson } from './write/json.ts'
import { type MarkdownOptions, writeMarkdown } from './write/markdown.ts'
import { writeText } from './write/text.ts'
import { writeXlsx } from './write/xlsx.ts'

export interface ConvertOptions extends Omit<MarkdownOptions, 'marks'> {
  /** Whether to mark the beginning of each page. */
  pageMarks?: boolean
  /** For example `1-3,7-`. */
  pages?: string
  password?: string
  /** Whether OCR runs on scanned pages, on no page or on all pages. */
  ocr?: 'auto' | 'never' | 'always'
  /** OCR languages; by default the installed languages that the pages are in. */
  languages?: readonly string[]
  /** The format of the file before it was converted to PDF, for messages. */
  source?: 'PDF' | 'picture'
  onProgress?: (fraction: number) => void
  onFacts?: (facts: Facts) => void
}

/** Shares of the total time: reading takes most of it, writing about a tenth. */
const shareOfReading = 0.8
const shareBeforeWriting = 0.9

export type OutputFormat = 'docx' | 'md' | 'html' | 'txt' | 'json' | 'xlsx' | 'csv'

export async function convertPdf(
  file: Uint8Array,
  format: OutputFormat,
  options: ConvertOptions = {},
): Promise<Uint8Array> {
  return convertWith(await loadPdfium(), file, format, options)
}

/** Runs the stages in order. Each takes the result of the previous one. */
export function convertWith(
  pdfium: Pdfium,
  file: Uint8Array,
  format: OutputFormat,
  options: ConvertOptions = {},
): Uint8Array {
  const isOfTables = format === 'xlsx' || format === 'csv'
  const lines: PageLines[] = []
  const isScan: boolean[] = []
  const recognition = listenToRecognition(() => lines.length)
  const pdf = readPdf(pdfium, file, {
    ...(options.pages === undefined ? {} : { pages: options.pages }),
    ...(options.password === undefined ? {} : { password: options.password }),
    keep: (read) => {
      // Without its picture, a scanned page is ordinary text.
      const page =
        options.pictures === 'none' || isOfTables || format === 'txt'
          ? { ...read, pictures: [], scan: false }
          : format === 'md' && read.scan && read.glyphs.length > 0
            ? { ...read, pictures: [] }
            : read
      lines.push(findLines(page))
      isScan.push(read.scan)
      return { ...page, glyphs: [] }
    },
    ...(options.ocr === 'never'
      ? {}
      : { ocrEngine: () => recognition.listen(findOcrEngine(options.languages)) }),
    recogniseAll: options.ocr === 'always',
    paint: showsPictures(format, options),
    onPage: (done, of) => options.onProgress?.((shareOfReading * done) / of),
  })
  if (options.ocr !== 'never') refuseScans(pdf, lines, options.source)
  options.onFacts?.(recognition.facts(pdf, lines, isScan))
  const document = understand(pdf, lines, format === 'docx')
  options.onProgress?.(shareBeforeWriting)
  const pageNumbers = pdf.numbers
  const marks = options.pageMarks ? findPageMarks(document, pageNumbers) : noMarks
  switch (format) {
    case 'docx':
      return writeDocx(document, marks)
    case 'xlsx':
      return writeXlsx(findTables(document), (page) => pageNumbers[page] ?? page + 1)
    case 'csv':
      return Buffer.from(writeCsv(findTables(document)), 'utf8')
    case 'md':
      return saying(writeMarkdown(document, { ...options, marks }), options.source)
    case 'txt':
      return saying(writeText(document), options.source)
    case 'json':
      return Buffer.from(
        writeJson(
          document,
          pdf.pages.map(({ width, height }, index) => ({
            number: pageNumbers[index] ?? index + 1,
            width,
            height,
          })),
        ),
        'utf8',
      )
    case 'html':
      return Buffer.from(writeHtml(document, marks), 'utf8')
  }
}

const showsPictures = (format: OutputFormat, { pictures }: ConvertOptions): boolean =>
  pictures !== 'none' && (format === 'docx' || format === 'html' || (format === 'md' && pictures === 'embed'))

/** Refuses blank pages, which have no text to write. */
function saying(text: string, source: ConvertOptions['source']): Uint8Array {
  if (!/\S/.test(text))
    throw new ConversionFailure(
      'unsupported',
      source === 'picture'
        ? 'No text was found in the picture. Scan or photograph the page again, larger and sharper.'
        : 'The PDF holds no text: its pages are blank, or pictures alone.',
    )
  return Buffer.from(text, 'utf8')
}

/** Refuses scans if there is no OCR: without text there is nothing to edit. */
function refuseScans(pdf: PdfDocument, lines: readonly PageLines[], source: ConvertOptions['source']): void {
  const empty = lines.every((l) => l.textRuns.length === 0 && l.turned.length === 0)
  if (empty && pdf.pages.some((p) => p.scan) && !findOcrEngine())
    throw new ConversionFailure(
      'unsupported',
      source === 'picture'
        ? 'The text of pictures cannot be read here: text recognition is not installed.'
        : 'The PDF is a scan: its pages are pictures without text. Run text recognition on it first.',
    )
}
