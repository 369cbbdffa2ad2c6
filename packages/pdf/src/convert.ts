import { drawStages } from './debug/draw.ts'
import { ConversionFailure } from './failure.ts'
import { layOutPages } from './layout/pages.ts'
import { findLines, type PageLines } from './lines/lines.ts'
import { findRecogniser } from './read/ocr.ts'
import type { PdfDocument } from './read/page.ts'
import { loadPdfium } from './read/pdfium.ts'
import { readPdf } from './read/read.ts'
import { understand } from './understand.ts'
import { writeDocx } from './write/docx.ts'
import { writeHtml } from './write/html.ts'
import { type MarkdownOptions, writeMarkdown } from './write/markdown.ts'

export interface ConvertOptions extends MarkdownOptions {
  onProgress?: (fraction: number) => void
}

export type OutputFormat = 'docx' | 'md' | 'html'

/** The stages in order. Each takes what the one before made. */
export async function convertPdf(
  file: Uint8Array,
  format: OutputFormat,
  options: ConvertOptions = {},
): Promise<Uint8Array> {
  const pdfium = await loadPdfium()
  const lines: PageLines[] = []
  const pdf = readPdf(pdfium, file, {
    keep: (page) => {
      lines.push(findLines(page))
      return { ...page, glyphs: [] }
    },
    recogniser: findRecogniser,
    onPage: (done, of) => options.onProgress?.((0.8 * done) / of),
  })
  refuseScans(pdf, lines)
  const document = understand(pdf, lines)
  options.onProgress?.(0.9)
  if (format === 'docx') return writeDocx(document)
  return Buffer.from(format === 'md' ? writeMarkdown(document, options) : writeHtml(document), 'utf8')
}

/** One page with the boxes of every stage, as SVG. `number` counts from 1. */
export async function debugPage(file: Uint8Array, number: number): Promise<string> {
  const pdf = readPdf(await loadPdfium(), file)
  const page = pdf.pages[number - 1]
  if (!page)
    throw new ConversionFailure(
      'unsupported',
      `The PDF has ${pdf.pages.length} pages; there is no page ${number}.`,
    )
  const all = pdf.pages.map(findLines)
  const lines = all[number - 1] as PageLines
  const { pages, running: ran } = layOutPages(pdf, all)
  const running = [...(ran.header[number - 1] ?? []), ...(ran.footer[number - 1] ?? [])]
  const { tables = [], bands = [] } = pages[number - 1] ?? {}
  const blocks = understand(pdf, all)
    .sections.flatMap((s) => s.blocks)
    .filter((b) => b.page === number - 1)
  return drawStages({ page, lines, running, tables, bands, blocks })
}

/** Without text and without a way to recognise it there is nothing to edit. */
function refuseScans(pdf: PdfDocument, lines: readonly PageLines[]): void {
  const empty = lines.every((l) => l.pieces.length === 0 && l.turned.length === 0)
  if (empty && pdf.pages.some((p) => p.scan) && !findRecogniser())
    throw new ConversionFailure(
      'unsupported',
      'The PDF is a scan: its pages are pictures without text. Run text recognition on it first.',
    )
}
