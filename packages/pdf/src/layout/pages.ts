import type { Piece } from '../lines/line.ts'
import type { PageLines } from '../lines/lines.ts'
import type { Page, PdfDocument, Picture, Rule } from '../read/page.ts'
import type { FoundTable } from '../tables/table.ts'
import { findTables } from '../tables/tables.ts'
import { type Band, layOut, type TextLine } from './layout.ts'
import { findRunning, marginTexts, type Running, runningPictures } from './running.ts'

// Every page apart: running lines and ornaments set aside, tables found, the rest in reading order.

export interface LaidPage {
  page: Page
  bands: Band[]
  tables: FoundTable[]
  /** Text that stands turned, in no table. */
  turned: Piece[]
  rules: Rule[]
}

export interface LaidPages {
  pages: LaidPage[]
  running: Running
  /** Per page: the pictures that most pages show. */
  ornaments: Picture[][]
}

export function layOutPages(pdf: PdfDocument, lines: readonly PageLines[]): LaidPages {
  const running = findRunning(pdf.pages.map((p, i) => ({ height: p.height, pieces: lines[i]?.pieces ?? [] })))
  const ornaments = runningPictures(
    pdf.pages.map(({ height, pictures, scan }) => ({ height, pictures: scan ? [] : pictures })),
  )
  const pages = pdf.pages.map((page, i): LaidPage => {
    const { pieces, turned, rules } = lines[i] as PageLines
    const aside = new Set([...(running.header[i] ?? []), ...(running.footer[i] ?? [])])
    const found = findTables({ page, pieces: pieces.filter((p) => !aside.has(p)), turned, rules })
    const bands = layOut(
      {
        pieces: found.pieces,
        tables: found.tables,
        pictures: page.scan ? [] : found.pictures.filter((p) => !ornaments.has(p)),
        rules: found.rules,
      },
      isFromRight(pieces),
    )
    return { page, bands, tables: found.tables, turned: found.turned, rules: found.rules }
  })
  const margins = marginTexts(pages.map((p) => p.turned))
  return {
    pages: pages.map((p) => ({ ...p, turned: p.turned.filter((piece) => !margins.has(piece)) })),
    running,
    ornaments: pdf.pages.map((p) => p.pictures.filter((x) => ornaments.has(x))),
  }
}

/** Columns are read from the right where most of the text is. */
const isFromRight = (pieces: readonly Piece[]): boolean =>
  2 * pieces.filter((p) => p.rtl).length > pieces.length

/** The lines of running text, column by column. */
export const linesOf = (bands: readonly Band[]): TextLine[][] =>
  bands.flatMap((b) => b.columns.map((c) => c.items.filter((x): x is TextLine => x.kind === 'line')))
