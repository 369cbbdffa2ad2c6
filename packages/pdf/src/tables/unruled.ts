import { elementAt } from '../element-at.ts'
import { centreX } from '../geometry.ts'
import type { TextRun, Word } from '../lines/line.ts'
import { type LineRow, rowsOf } from '../lines/line-rows.ts'
import { splitBefore } from '../lines/split-text-run.ts'
import type { Page, Rule } from '../read/page.ts'
import { clearMajority, samePosition, several } from '../tolerances.ts'
import { middleOfLetters } from '../typography.ts'
import { cutAtGaps } from './cell-gaps.ts'
import { countContents, isChart } from './not-tables.ts'
import { tableOf } from './open-table.ts'
import { columnsAt, spans } from './row-distance.ts'
import { columnsOf, growRegion, type Interval, type Region } from './strips.ts'
import type { FoundTable } from './table.ts'
import { isTabular } from './tabular.ts'
import { columnRuns } from './whitespace-runs.ts'

// Tables without vertical rules: consecutive lines with aligned gaps. A missing table is better than one that only lays
// out running text.

/** Between cells of a row, in ems: wider than most word spaces. */
const narrowestGap = 0.33

export function findUnruled(
  textRuns: readonly TextRun[],
  rules: readonly Rule[],
  ruled: readonly FoundTable[],
  { page, fixedIsCode }: { page: Page; fixedIsCode: boolean },
): { tables: FoundTable[]; rest: TextRun[] } {
  const rows = rowsOf(textRuns)
  const tables: FoundTable[] = []
  const taken = new Set<TextRun>()
  for (let i = 0; i < rows.length; i++) {
    if (elementAt(rows, i).textRuns.length < 2) continue
    const region = growRegion(
      rows,
      i,
      ruled.map((t) => t.box),
    )
    if (!region) continue
    const contents = countContents(region.rows)
    if (contents > 0) {
      i += contents - 1
      continue
    }
    // Gaps in code are typed spaces.
    if (fixedIsCode && region.rows.every((r) => r.textRuns.every((p) => p.font.mono))) {
      i = region.last
      continue
    }
    const table = buildUnruled(region, rules, page)
    if (!table) continue
    i = region.last
    if (isChart(table, textRuns, page.pictures)) continue
    tables.push(table)
    for (const row of region.rows) for (const textRun of row.textRuns) taken.add(textRun)
  }
  return { tables, rest: textRuns.filter((p) => !taken.has(p)) }
}

function buildUnruled(region: Region, rules: readonly Rule[], page: Page): FoundTable | undefined {
  const columns = finest(region)
  if (columns.length < 2) return undefined
  const columnAt = columnsAt(columns)
  const isNextCell = ({ box }: Word, before: Word, { size }: TextRun): boolean =>
    columnAt(centreX(box)) !== columnAt(centreX(before.box)) &&
    Math.max(box.x0 - before.box.x1, before.box.x0 - box.x1) > narrowestGap * size
  const lines = region.rows.map((row) => ({
    ...row,
    textRuns: row.textRuns
      .flatMap((p) => (spans(p, columns) > 1 && row.textRuns.length === 1 ? [p] : splitBefore(p, isNextCell)))
      .sort((a, b) => a.box.x0 - b.box.x0),
  }))
  const across = rules.filter(
    (r) => r.horizontal && r.to > elementAt(columns, 0)[0] && r.from < elementAt(columns, -1)[1],
  )
  if (!isTabular(lines, columns, columnAt, isHeaded(lines, columns, across))) return undefined
  const table = tableOf(
    {
      x0: elementAt(columns, 0)[0] - samePosition,
      x1: elementAt(columns, -1)[1] + samePosition,
      rules: [],
      short: across,
      lines,
    },
    columns,
    page,
  )
  const filled = table?.cells.filter((c) => c.textRuns.length > 0).length ?? 0
  return page.scan && table && filled < clearMajority * table.cells.length ? undefined : table
}

/** Whether the first line has a text in each column, and a rule below it over all of them. */
function isHeaded(
  [head, next]: readonly LineRow[],
  columns: readonly Interval[],
  rules: readonly Rule[],
): boolean {
  if (!head || !next || head.textRuns.length < columns.length) return false
  const [left, right] = [elementAt(columns, 0)[0], elementAt(columns, -1)[1]]
  return rules.some(
    (r) =>
      r.at > head.baseline &&
      r.at < next.baseline - middleOfLetters * next.size &&
      r.from < left + samePosition &&
      r.to > right - samePosition,
  )
}

/** Columns by whitespace through all lines, or by gaps hardly wider than a word space if those show more. */
function finest(region: Region): Interval[] {
  const coarse = columnsOf(region)
  const lines = region.rows.map((r) => ({ ...r, textRuns: r.textRuns.flatMap(cutAtGaps) }))
  const isShort = lines.filter((l) => l.textRuns.length > 1).length < several
  const runs = isShort ? [] : columnRuns(lines)
  return withHeads(runs.length > coarse.length ? runs : coarse, lines)
}

/** A column and its header need not overlap: the header may be centred, and the cells at the left or right. */
function withHeads(columns: readonly Interval[], lines: readonly LineRow[]): Interval[] {
  const linesIn = ([left, right]: Interval): LineRow[] =>
    lines.filter((l) => l.textRuns.some(({ box }) => box.x0 < right && box.x1 > left))
  const out: Interval[] = []
  for (const column of columns) {
    const last = out.at(-1)
    const [before, own] = [last ? linesIn(last) : [], linesIn(column)]
    const isHead = [before, own].some((some) => some.length === 1)
    if (last && isHead && !own.some((l) => before.includes(l))) last[1] = column[1]
    else out.push([...column])
  }
  return out
}
