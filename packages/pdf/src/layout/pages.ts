import type { TextRun } from '../lines/line.ts'
import type { PageLines } from '../lines/lines.ts'
import type { Page, PdfDocument, Picture, Rule } from '../read/page.ts'
import type { FoundTable } from '../tables/table.ts'
import { findTables } from '../tables/tables.ts'
import { type Band, layOut, type TextLine } from './layout.ts'
import { findRunning, marginTexts, type Running, runningPictures } from './running.ts'

// Every page apart: running headers and footers and ornaments set aside, tables found, the rest in reading order.

export interface LaidPage {
  page: Page
  bands: Band[]
  tables: FoundTable[]
  /** Text that stands turned, in no table. */
  turned: TextRun[]
  rules: Rule[]
}

export interface LaidPages {
  pages: LaidPage[]
  running: Running
  /** Per page: the pictures that most pages show. */
  ornaments: Picture[][]
}

export function layOutPages(pdf: PdfDocument, lines: readonly PageLines[]): LaidPages {
  const running = findRunning(
    pdf.pages.map((p, i) => ({ height: p.height, textRuns: lines[i]?.textRuns ?? [] })),
  )
  const ornaments = runningPictures(
    pdf.pages.map(({ height, pictures, scan }) => ({ height, pictures: scan ? [] : pictures })),
  )
  const pages = pdf.pages.map((page, i): LaidPage => {
    const { textRuns, turned, rules } = lines[i] as PageLines
    const aside = new Set([...(running.header[i] ?? []), ...(running.footer[i] ?? [])])
    const found = findTables({ page, textRuns: textRuns.filter((p) => !aside.has(p)), turned, rules })
    const bands = layOut(
      {
        textRuns: found.textRuns,
        tables: found.tables,
        pictures: page.scan ? [] : found.pictures.filter((p) => !ornaments.has(p)),
        rules: found.rules,
      },
      isFromRight(textRuns),
    )
    return { page, bands, tables: found.tables, turned: found.turned, rules: found.rules }
  })
  const margins = marginTexts(pages.map((p) => p.turned))
  return {
    pages: pages.map((p) => ({ ...p, turned: p.turned.filter((textRun) => !margins.has(textRun)) })),
    running,
    ornaments: pdf.pages.map((p) => p.pictures.filter((x) => ornaments.has(x))),
  }
}

/** Columns are read from the right where most of the text is. */
const isFromRight = (textRuns: readonly TextRun[]): boolean =>
  2 * textRuns.filter((p) => p.rtl).length > textRuns.length

/** The lines of running text, column by column. */
export const linesOf = (bands: readonly Band[]): TextLine[][] =>
  bands.flatMap((b) => b.columns.map((c) => c.items.filter((x): x is TextLine => x.kind === 'line')))
