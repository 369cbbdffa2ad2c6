import { bandColumns, columnBlocks, joinAcross, turnedBlocks } from './blocks/assemble.ts'
import type { Block, Paragraph } from './blocks/block.ts'
import { learnVocabulary } from './blocks/build.ts'
import { findHeadings } from './blocks/headings.ts'
import { findLists } from './blocks/lists.ts'
import { type FoundNote, noteFinder } from './blocks/notes.ts'
import { learnHabits } from './blocks/paragraphs.ts'
import { addBorders } from './blocks/rules.ts'
import { measureGaps, settlePitch } from './blocks/spacing.ts'
import { drawStages } from './debug/draw.ts'
import { ConversionFailure } from './failure.ts'
import { fitFonts } from './font-fit.ts'
import { type Band, layOut, type TextLine } from './layout/layout.ts'
import { findRunning, marginTexts, runningPictures } from './layout/running.ts'
import type { Piece } from './lines/line.ts'
import { findLines, type PageLines } from './lines/lines.ts'
import { findRecogniser } from './read/ocr.ts'
import type { PdfDocument } from './read/page.ts'
import { loadPdfium } from './read/pdfium.ts'
import { readPdf } from './read/read.ts'
import { framesOf, type PageFrame } from './sections/frames.ts'
import { buildRunning } from './sections/running-parts.ts'
import { scanPage } from './sections/scan-page.ts'
import type { WordDocument } from './sections/section.ts'
import { type BandBlocks, buildSections } from './sections/sections.ts'
import { joinTables } from './sections/table-joins.ts'
import { findTables } from './tables/tables.ts'
import { writeDocx } from './write/docx.ts'
import { writeHtml } from './write/html.ts'
import { writeMarkdown } from './write/markdown.ts'
import { paragraphsOf } from './write/styles.ts'

export interface ConvertOptions {
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
    digest: (page) => {
      lines.push(findLines(page))
      page.glyphs = []
    },
    recogniser: findRecogniser,
    onPage: (done, of) => options.onProgress?.((0.8 * done) / of),
  })
  const document = understand(pdf, lines)
  options.onProgress?.(0.9)
  if (format === 'docx') return writeDocx(document)
  return Buffer.from(format === 'md' ? writeMarkdown(document) : writeHtml(document), 'utf8')
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
  const ran = findRunning(pdf.pages.map((p, i) => ({ height: p.height, pieces: all[i]?.pieces ?? [] })))
  const running = [...(ran.header[number - 1] ?? []), ...(ran.footer[number - 1] ?? [])]
  const found = findTables({
    page,
    pieces: lines.pieces.filter((p) => !running.includes(p)),
    turned: lines.turned,
    rules: lines.rules,
  })
  const bands = layOut({
    pieces: found.pieces,
    tables: found.tables,
    pictures: found.pictures,
    rules: found.rules,
  })
  const blocks = understand(pdf, all)
    .sections.flatMap((s) => s.blocks)
    .filter((b) => b.page === number - 1)
  return drawStages({ page, lines, running, tables: found.tables, bands, blocks })
}

export function understand(
  pdf: PdfDocument,
  lines: readonly PageLines[] = pdf.pages.map(findLines),
): WordDocument {
  refuseScans(pdf, lines)
  fitFonts(lines.flatMap((l) => l.pieces))
  const running = findRunning(pdf.pages.map((p, i) => ({ height: p.height, pieces: lines[i]?.pieces ?? [] })))
  const ornaments = runningPictures(pdf.pages.map((p) => (p.scan ? [] : p.pictures)))
  const pages = pdf.pages.map((page, i) => {
    const own = lines[i] as (typeof lines)[number]
    const aside = new Set([...(running.header[i] ?? []), ...(running.footer[i] ?? [])])
    const body = own.pieces.filter((p) => !aside.has(p))
    const found = findTables({ page, pieces: body, turned: own.turned, rules: own.rules })
    const bands = layOut({
      pieces: found.pieces,
      tables: found.tables,
      pictures: page.scan ? [] : found.pictures.filter((p) => !ornaments.all.has(p)),
      rules: found.rules,
    })
    return { page, bands, aside: found.turned, rules: found.rules }
  })
  const margins = marginTexts(pages.map((p) => p.aside))
  const frames = allFrames(pages)
  const textLines = (bands: readonly Band[]): TextLine[][] =>
    bands.flatMap((b) => b.columns.map((c) => c.items.filter((x): x is TextLine => x.kind === 'line')))
  const habits = learnHabits(pages.flatMap((p) => textLines(p.bands)))
  const vocabulary = learnVocabulary(lines.flatMap((l) => l.pieces.map((p) => p.text)))
  const context = { habits, vocabulary }

  const all: Block[] = []
  const finder = noteFinder(bodySize(lines.flatMap((l) => l.pieces)))
  const notes: FoundNote[] = []
  let room = 0
  const bandBlocks: BandBlocks[] = []
  for (const [i, { page, bands, aside, rules }] of pages.entries()) {
    const frame = frames[i] as PageFrame
    const columns = bandColumns(bands, i, (band, index) =>
      band.columns.length === 1
        ? { x0: frame.left, x1: frame.right, edges: frame.edges }
        : { x0: band.columns[index]?.box.x0 ?? 0, x1: band.columns[index]?.box.x1 ?? 0 },
    )
    if (page.scan) {
      room = 1000
      bandBlocks.push(
        scanPage(
          page,
          columns.flatMap((c) => columnBlocks(c, context)),
        ),
      )
      all.push(...(bandBlocks.at(-1) as BandBlocks).blocks)
      continue
    }
    const header = running.header[i] ?? []
    const footer = running.footer[i] ?? []
    let bottom = frame.top
    const pageNotes: Paragraph[] = []
    for (const band of bands) {
      const before = all.length
      for (const column of columns.filter((c) => band.columns.includes(c.column))) {
        const blocks = columnBlocks(column, context)
        // Where the text before filled its column, the next one follows by itself.
        const first = blocks[0]
        if (first && room < 2.2 * lineOf(first) && first.kind === 'paragraph') {
          first.startsPage = false
          first.startsColumn = false
        }
        const more = band !== bands.at(-1) || column.column !== band.columns.at(-1)
        room = (more && !isLow(band, frame) ? band.box.y1 : frame.bottom) - column.column.box.y1
        measureGaps(blocks, column.column === band.columns[0] ? bottom : band.box.y0)
        addBorders(blocks, rules, column.frame)
        const small = finder.take(blocks, i)
        joinAcross(all, blocks, context)
        pageNotes.push(...small)
      }
      if (band === bands.at(-1)) notes.push(...finder.tie(all, pageNotes))
      if (band === bands.at(-1))
        all.push(
          ...turnedBlocks(
            aside.filter((p) => !margins.has(p)),
            i,
            context,
          ),
        )
      bottom = band.box.y1
      bandBlocks.push({
        page: i,
        band,
        blocks: all.slice(before),
        size: { width: page.width, height: page.height },
        frame,
        headerTop: header.length > 0 ? Math.min(...header.map((p) => p.box.y0)) : undefined,
        footerBottom: footer.length > 0 ? Math.max(...footer.map((p) => p.box.y1)) : undefined,
      })
    }
  }
  settlePitch(paragraphsOf(all))
  findHeadings(all, pdf)
  findLists(all)
  const sections = buildSections(bandBlocks)
  joinTables(sections)
  return {
    sections,
    running: buildRunning({
      header: running.header,
      footer: running.footer,
      frames,
      context,
      rules: pages.map((p) => p.rules),
      pictures: ornaments.once,
    }),
    notes: notes.map((n) => ({ id: n.id, blocks: n.paragraphs })),
    properties: pdf.properties,
    remarks: remarksOn(pdf, lines),
  }
}

function remarksOn(pdf: PdfDocument, lines: readonly PageLines[]): string[] {
  const pages = (count: number): string => (count === 1 ? 'one page' : `${count} pages`)
  const out: string[] = []
  if (pdf.recognised > 0)
    out.push(`The text of ${pages(pdf.recognised)} was recognised from pictures and may hold errors.`)
  const unread = pdf.pages.filter((p, i) => p.scan && lines[i]?.pieces.length === 0).length
  if (unread > 0) out.push(`On the picture of ${pages(unread)} no text could be recognised.`)
  return out
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

/** The size that most of the text is set in. */
function bodySize(pieces: readonly Piece[]): number {
  const weights = new Map<number, number>()
  for (const p of pieces) {
    const key = Math.round(p.size * 2) / 2
    weights.set(key, (weights.get(key) ?? 0) + p.text.length)
  }
  return [...weights.entries()].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 10
}

const lineOf = (b: Block): number => (b.kind === 'paragraph' ? (b.pitch ?? 1.2 * b.size) : 12)

/** The band reaches the foot of the page. */
const isLow = (band: Band, frame: PageFrame): boolean =>
  band.box.y1 > frame.bottom - 0.12 * (frame.bottom - frame.top)

function allFrames(
  pages: readonly { page: { width: number; height: number }; bands: Band[] }[],
): PageFrame[] {
  const groups = new Map<string, { width: number; height: number; bands: Band[] }[]>()
  const keyOf = (p: { width: number; height: number }): string =>
    `${Math.round(p.width)}x${Math.round(p.height)}`
  for (const { page, bands } of pages) {
    const entry = { width: page.width, height: page.height, bands }
    const list = groups.get(keyOf(page))
    if (list) list.push(entry)
    else groups.set(keyOf(page), [entry])
  }
  const frames = new Map([...groups.entries()].map(([key, list]) => [key, framesOf(list)]))
  return pages.map(({ page }) => frames.get(keyOf(page))?.shift() as PageFrame)
}
