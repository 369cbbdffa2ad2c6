import { elementAt } from '../element-at.ts'
import { type Box, union } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { rowsOf } from '../lines/line-rows.ts'
import { splitTextRun } from '../lines/split-text-run.ts'
import type { Page, Rule } from '../read/page.ts'
import { clearMajority, closeLines, samePosition, several } from '../tolerances.ts'
import { middleOfLetters } from '../typography.ts'
import { isBroken } from './broken-line.ts'
import { cutAtGaps } from './cell-gaps.ts'
import { isChart } from './charts.ts'
import { countContents } from './contents.ts'
import { openTable, type Place } from './open-cell.ts'
import { columnsAt, rowsByDistance, spans } from './row-distance.ts'
import { columnsOf, growRegion, type Region } from './strips.ts'
import type { FoundTable } from './table.ts'
import { isTabular, type PartedLine } from './tabular.ts'
import { columnRuns } from './whitespace-runs.ts'

// Tables without vertical rules: consecutive lines with aligned gaps. A missing table is better than one that only lays
// out running text.

/** Approximate width of the first letter of a text, in points: it decides the column. */
const firstLetter = 4

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
  const lines = region.rows.map((row) => ({
    ...row,
    parts: row.textRuns.flatMap((p) =>
      spans(p, columns) > 1 && row.textRuns.length === 1 ? [p] : splitTextRun(p, columnAt),
    ),
  }))
  if (!isTabular(lines, columns, columnAt)) return undefined
  const across = rules.filter(
    (r) => r.horizontal && r.to > elementAt(columns, 0).x0 && r.from < elementAt(columns, -1).x1,
  )
  const starts = rowsByDistance(lines, columns)
  const groups = starts
    ? starts.map((from, i) => rowOf(lines.slice(from, starts[i + 1]).flatMap((l) => l.parts)))
    : logicalRows(lines, columns, columnAt, across)
  if (groups.length < 2) return undefined
  const box = union(region.rows.flatMap((r) => r.textRuns.map((p) => p.box)))
  const between = columns.slice(1).map(({ x0 }, i) => (elementAt(columns, i).x1 + x0) / 2)
  const xs = [elementAt(columns, 0).x0 - samePosition, ...between, elementAt(columns, -1).x1 + samePosition]
  const ys = rowEdges(groups, box)
  const places: Place[] = []
  for (const [row, group] of groups.entries()) {
    const byColumn = new Map<number, { textRuns: TextRun[]; span: number }>()
    for (const textRun of group.parts) {
      const from = columnAt(
        (Math.max(textRun.box.x0, elementAt(columns, 0).x0) +
          Math.min(textRun.box.x1, textRun.box.x0 + firstLetter)) /
          2,
      )
      const span = Math.max(from, columnAt(textRun.box.x1 - samePosition)) - from + 1
      const cell = byColumn.get(from) ?? { textRuns: [], span }
      byColumn.set(from, { textRuns: [...cell.textRuns, textRun], span: Math.max(cell.span, span) })
    }
    for (const [column, { textRuns, span: wanted }] of byColumn) {
      let span = 1
      while (span < wanted && !byColumn.has(column + span)) span++
      places.push({ row, column, span, textRuns })
    }
  }
  const cells = groups.length * columns.length
  if (page.scan && places.length < clearMajority * cells) return undefined
  return openTable(places, { xs, ys }, across, page)
}

/**
 * Columns by the whitespace through all lines, or by gaps hardly wider than a word space if those show more columns.
 */
function finest(region: Region): Box[] {
  const coarse = columnsOf(region)
  const lines = region.rows.map((r) => ({ ...r, textRuns: r.textRuns.flatMap(cutAtGaps) }))
  if (lines.filter((l) => l.textRuns.length > 1).length < several) return coarse
  const runs = columnRuns(lines)
  return runs.length > coarse.length ? runs.map(([x0, x1]) => ({ x0, x1, y0: 0, y1: 0 })) : coarse
}

interface TableRow {
  parts: TextRun[]
  y0: number
  y1: number
}

function rowOf(parts: TextRun[]): TableRow {
  const { y0, y1 } = union(parts.map((p) => p.box))
  return { parts, y0, y1 }
}

/** Lines that form one row: a continuation line has no text in the first column, or continues a sentence there. */
function logicalRows(
  lines: readonly PartedLine[],
  columns: readonly Box[],
  columnAt: (x: number) => number,
  rules: readonly Rule[],
): TableRow[] {
  const out: TableRow[] = []
  const edge = elementAt(columns, 0).x1
  const inStub = (p: TextRun): boolean => columnAt(p.box.x0 + 1) === 0 && p.box.x1 < edge + samePosition
  for (const [i, line] of lines.entries()) {
    const above = lines[i - 1]
    const row = out.at(-1)
    const filled = new Set(line.parts.map((p) => columnAt(p.box.x0 + 1)))
    const [last, next] = [row?.parts.findLast(inStub), line.parts.find(inStub)]
    const goesOn = filled.has(0)
      ? last && next && isBroken(last, next, edge)
      : filled.size <= Math.max(1, columns.length - 2)
    const isClose =
      above &&
      line.baseline - above.baseline < closeLines * line.size + 1 &&
      !rules.some(
        (r) => !r.weak && r.at > above.baseline - 1 && r.at < line.baseline - middleOfLetters * line.size,
      )
    const spansAll = line.parts.length === 1 && spans(elementAt(line.parts, 0), columns) > 1
    const y0 = Math.min(...line.parts.map((p) => p.box.y0))
    const y1 = Math.max(...line.parts.map((p) => p.box.y1))
    if (row && isClose && goesOn && !spansAll) {
      row.parts.push(...line.parts)
      row.y1 = Math.max(row.y1, y1)
    } else out.push({ parts: [...line.parts], y0, y1 })
  }
  return out
}

function rowEdges(groups: readonly { y0: number; y1: number }[], box: Box): number[] {
  const ys = [box.y0]
  for (let i = 1; i < groups.length; i++) {
    const y = ((groups[i - 1] as { y1: number }).y1 + (groups[i] as { y0: number }).y0) / 2
    ys.push(Math.max(y, (ys.at(-1) as number) + 1))
  }
  ys.push(Math.max(box.y1, (ys.at(-1) as number) + 1))
  return ys
}
