import { layOutPage, linesOf } from '../layout/pages.ts'
import type { TextRun } from '../lines/line.ts'
import { pageOf, textRunOf } from '../lines/test-text-runs.ts'
import type { Page, Rule } from '../read/page.ts'
import type { FoundTable } from './table.ts'

// Small synthetic tables for the tests of this stage.

export const h = (at: number, from = 50, to = 250): Rule => ({
  horizontal: true,
  at,
  from,
  to,
  thickness: 0.5,
  color: '000000',
  weak: false,
})

export const v = (at: number, from: number, to: number): Rule => ({ ...h(at, from, to), horizontal: false })

/** Texts of one row by position. */
export const row = (y: number, texts: Record<number, string>): TextRun[] =>
  Object.entries(texts).map(([x, text]) => textRunOf(text, Number(x), y))

/** All tables of a page, and the text outside them. */
export function findTables(input: { page: Page; textRuns: TextRun[]; turned: TextRun[]; rules: Rule[] }): {
  tables: FoundTable[]
  textRuns: TextRun[]
} {
  const { tables, bands } = layOutPage(input.page, input, [])
  return { tables, textRuns: linesOf(bands).flatMap((lines) => lines.flatMap((l) => l.textRuns)) }
}

export const find = (
  textRuns: TextRun[],
  rules: Rule[],
  turned: TextRun[] = [],
): ReturnType<typeof findTables> => findTables({ page: pageOf([]), textRuns, turned, rules })

/** Rows of texts; `>` is a cell that spans columns, `v` a cell that spans rows. */
export const grid = (table: FoundTable | undefined): string[][] => {
  const out: string[][] = []
  for (const c of table?.cells.toSorted((a, b) => a.row - b.row || a.column - b.column) ?? []) {
    const marks = '>'.repeat(c.columnSpan - 1) + 'v'.repeat(c.rowSpan - 1)
    out[c.row] = [...(out[c.row] ?? []), c.textRuns.map((p) => p.text).join(' ') + marks]
  }
  return out
}
