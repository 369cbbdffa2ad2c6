import { elementAt } from '../element-at.ts'
import { overlapX } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import type { PageLines } from '../lines/lines.ts'
import type { Page, PdfDocument, Picture, Rule } from '../read/page.ts'
import type { FoundTable } from '../tables/table.ts'
import { findDrawnTables } from '../tables/tables.ts'
import { findUnruled } from '../tables/unruled.ts'
import { type Band, type Column, inOrder, layOut, type TextLine } from './layout.ts'
import { withoutLineNumbers } from './line-numbers.ts'
import { looseOf } from './rows.ts'
import { findRunning, marginTexts, type Running, runningPictures } from './running.ts'

// Lays out each page: removes running headers, footers and ornaments, finds tables and puts the rest in reading order.

export interface LaidPage {
  page: Page
  bands: Band[]
  tables: FoundTable[]
  /** Rotated text outside tables. */
  turned: TextRun[]
  rules: Rule[]
}

export interface LaidPages {
  pages: LaidPage[]
  running: Running
  /** Per page: pictures that are on most pages. */
  ornaments: Picture[][]
}

export function layOutPages(pdf: PdfDocument, lines: readonly PageLines[], forWord: boolean): LaidPages {
  const running = findRunning(
    pdf.pages.map(({ height, pictures, scan }, i) => {
      const { textRuns, turned } = elementAt(lines, i)
      return { height, textRuns, showsMore: scan || pictures.length > 0 || turned.length > 0 }
    }),
    forWord,
  )
  const ornaments = runningPictures(
    pdf.pages.map(({ height, pictures, scan }) => ({ height, pictures: scan ? [] : pictures })),
  )
  const pages = pdf.pages.map((page, i): LaidPage => {
    const own = elementAt(lines, i)
    const aside = new Set([...(running.header[i] ?? []), ...(running.footer[i] ?? [])])
    const pictures = page.scan ? [] : page.pictures.filter((p) => !ornaments.has(p))
    return layOutPage(page, { ...own, textRuns: own.textRuns.filter((p) => !aside.has(p)) }, pictures)
  })
  const margins = marginTexts(pages.map((p) => p.turned))
  return {
    pages: pages.map((p) => ({ ...p, turned: p.turned.filter((textRun) => !margins.has(textRun)) })),
    running,
    ornaments: pdf.pages.map((p) => p.pictures.filter((x) => ornaments.has(x))),
  }
}

/** Finds drawn or tagged tables before columns: text side by side in two columns is not a table row. */
export function layOutPage(page: Page, lines: PageLines, pictures: readonly Picture[]): LaidPage {
  const fixedIsCode = hasOtherText([...lines.textRuns, ...lines.turned])
  const textRuns = withoutLineNumbers(lines.textRuns, fixedIsCode)
  const found = findDrawnTables({ page, ...lines, textRuns })
  const taken = new Set(found.tables.flatMap((t) => t.cells.flatMap((c) => c.pictures)))
  const content = { ...found, pictures: pictures.filter((p) => !taken.has(p)) }
  const bands = layOut(content, found.rules, isFromRight(lines.textRuns))
  const isParted = bands.flatMap((b) => b.columns).length > 1
  const tables = [...found.tables]
  const withUnruled = (column: Column): Column => {
    const beside = found.tables.filter((t) => !isParted || overlapX(t.box, column.box) > 0)
    const textRuns = column.items.flatMap((item) => (item.kind === 'line' ? item.textRuns : []))
    const unruled = findUnruled(textRuns, found.rules, beside, { page, fixedIsCode })
    if (unruled.tables.length === 0) return column
    tables.push(...unruled.tables)
    const others = column.items.filter((item) => item.kind !== 'line')
    const own = looseOf({ textRuns: unruled.rest, tables: unruled.tables })
    return { box: column.box, items: inOrder([...own, ...others]) }
  }
  return {
    page,
    bands: bands.map((band) => ({ ...band, columns: band.columns.map(withUnruled) })),
    tables,
    turned: found.turned,
    rules: found.rules,
  }
}

/** With a smaller share of proportional text, the body font is monospaced, and text in it may be a table. */
const minText = 0.2

function hasOtherText(textRuns: readonly TextRun[]): boolean {
  const length = (own: readonly TextRun[]): number => own.reduce((sum, p) => sum + p.text.length, 0)
  return length(textRuns.filter((p) => !p.font.mono)) > minText * length(textRuns)
}

/** Columns are read from right to left if most of the text is. */
const isFromRight = (textRuns: readonly TextRun[]): boolean =>
  2 * textRuns.filter((p) => p.rtl).length > textRuns.length

/** The lines of running text, column by column. */
export const linesOf = (bands: readonly Band[]): TextLine[][] =>
  bands.flatMap((b) => b.columns.map((c) => c.items.filter((x): x is TextLine => x.kind === 'line')))
