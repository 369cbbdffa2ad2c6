import { area, centreX, centreY, contains, overlapX, shareInside, union } from '../geometry.ts'
import { layOut } from '../layout/layout.ts'
import type { TextRun } from '../lines/line.ts'
import type { Page, Picture, Rule } from '../read/page.ts'
import { isChart } from './charts.ts'
import { choose } from './choose.ts'
import { splitSpans } from './column-split.ts'
import { findOpen } from './open-table.ts'
import { splitRows } from './row-split.ts'
import { ruledTable } from './ruled.ts'
import { joinRules, meetingRules, withoutInnerEdges } from './rules.ts'
import { copyTable, type FoundTable } from './table.ts'
import { findTagged } from './tagged.ts'
import { findUnruled } from './unruled.ts'

// Tables of a page: first those that rules show, then those that the tags name and the page bears out,
// then those that only the text's alignment shows.

export interface TableInput {
  page: Page
  textRuns: readonly TextRun[]
  turned: readonly TextRun[]
  rules: readonly Rule[]
}

export interface TableOutput {
  tables: FoundTable[]
  /** What lies in no table. */
  textRuns: TextRun[]
  /** The same of turned text. */
  turned: TextRun[]
  pictures: Picture[]
  rules: Rule[]
}

/** Rules that were meant to meet end within this of each other, in points. */
const meet = 3
/** A table lies in another when nearly all of it does; one as large as its cell is the cell's own border. */
const nested = 0.9
const asLargeAsCell = 0.95

export function findTables(input: TableInput): TableOutput {
  const { page } = input
  const rules = joinRules(input.rules, page.fills, page)
  const pageArea = page.width * page.height
  const all = [...input.textRuns, ...input.turned]
  const content = { textRuns: all, pictures: page.pictures, fills: page.fills }
  const gridded = meetingRules(rules, meet)
    .map((group) => ruledTable(withoutInnerEdges(group, page.fills), content, pageArea))
    .filter((t) => t !== undefined)
  const across = findOpen(all, rules, page)
  const { grids: ruled, open } = choose(
    gridded,
    across.filter((t) => !isChart(t, page.pictures)),
  )
  const nesting = nest(ruled.toSorted((a, b) => area(b.box) - area(a.box)))
  const top = [...nesting.map((table) => splitSpans(splitRows(table))), ...open]
  const inTable = (x: number, y: number): boolean => top.some((t) => contains(t.box, x, y, 1))
  const free = input.textRuns.filter((p) => !inTable(centreX(p.box), centreY(p.box)))
  const tagged = findTagged(free, rules, page)
  const known = [...top, ...tagged.tables]
  const columns = textColumns(tagged.rest, known, rules)
  const unruled = unruledTables(columns, rules, known, { page, fixedIsCode: hasOtherText(all) })
  const tables = [...top, ...tagged.tables, ...unruled.tables]
  const loose = input.turned.filter((p) => !inTable(centreX(p.box), centreY(p.box)))
  const taken = new Set(tables.flatMap((t) => t.cells.flatMap((c) => c.pictures)))
  return {
    tables,
    textRuns: unruled.rest,
    turned: loose,
    pictures: page.pictures.filter((p) => !taken.has(p)),
    rules: rules.filter(
      (r) => !inTable(r.horizontal ? (r.from + r.to) / 2 : r.at, r.horizontal ? r.at : (r.from + r.to) / 2),
    ),
  }
}

/** Where less of a page is set in other fonts, those monospaced are its own, and what they set may be a table. */
const leastText = 0.2

function hasOtherText(textRuns: readonly TextRun[]): boolean {
  const length = (own: readonly TextRun[]): number => own.reduce((sum, p) => sum + p.text.length, 0)
  return length(textRuns.filter((p) => !p.font.mono)) > leastText * length(textRuns)
}

/** Columns of text are separated first: text side by side in two columns is not a row. */
const textColumns = (
  textRuns: readonly TextRun[],
  tables: readonly FoundTable[],
  rules: readonly Rule[],
): TextRun[][] =>
  layOut({ textRuns, tables, pictures: [], rules }).flatMap((band) =>
    band.columns.map((c) => c.items.flatMap((item) => (item.kind === 'line' ? item.textRuns : []))),
  )

function unruledTables(
  columns: readonly TextRun[][],
  rules: readonly Rule[],
  known: readonly FoundTable[],
  on: { page: Page; fixedIsCode: boolean },
): { tables: FoundTable[]; rest: TextRun[] } {
  const found = columns.map((textRuns) => {
    const own = union(textRuns.map((p) => p.box))
    const beside = known.filter((t) => overlapX(t.box, own) > 0)
    return findUnruled(textRuns, rules, columns.length > 1 ? beside : known, on)
  })
  return { tables: found.flatMap((f) => f.tables), rest: found.flatMap((f) => f.rest) }
}

/** Tables inside a cell of another belong to that cell. The input is sorted by size. */
function nest(tables: readonly FoundTable[]): FoundTable[] {
  const top: FoundTable[] = []
  for (const table of tables.map(copyTable)) {
    const host = top.find((t) => shareInside(table.box, t.box) > nested)
    const cell = host?.cells.find((c) => shareInside(table.box, c.box) > nested)
    if (!host) top.push(table)
    else if (cell && table.cells.length > 1 && area(table.box) < asLargeAsCell * area(cell.box)) {
      const inner = new Set(table.cells.flatMap((c) => c.textRuns.map((p) => p.order)))
      cell.textRuns = cell.textRuns.filter(
        (p) => !(contains(table.box, centreX(p.box), centreY(p.box), 1) && inner.has(p.order)),
      )
      cell.tables.push(table)
    }
  }
  return top
}
