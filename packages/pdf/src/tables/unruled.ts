import { type Box, median, union } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { type LineRow, rowsOf } from '../lines/line-rows.ts'
import { splitTextRun } from '../lines/split-text-run.ts'
import type { Page, Rule } from '../read/page.ts'
import { isBroken } from './broken-line.ts'
import { cutAtGaps } from './cell-gaps.ts'
import { isChart } from './charts.ts'
import { isContents } from './contents.ts'
import { openTable, type Place } from './open-cell.ts'
import { columnsOf, growRegion, type Region } from './strips.ts'
import type { FoundTable } from './table.ts'
import { isTabular, type PartedLine } from './tabular.ts'
import { columnRuns } from './whitespace-runs.ts'

// Tables without vertical rules: consecutive lines whose gaps stand under each other. Better no table
// than one that only lays out running text.

/** Side bearings: a text may begin before its column by this, and reach into the next; in points. */
const bearing = 2
/** The first letter of a text, about as wide in points: it decides the column. */
const firstLetter = 4
/** Smaller steps lie between baselines of one line, in points. */
const leastStep = 4
/** Lines of one cell: hardly further apart than is usual, and than the closest; in steps, ems and points. */
const closeToUsual = 1.2
const closeInEms = 1.5
const closeToTight = 0.6
/** Where rows are apart by this much more than the closest lines, the closest are lines of one cell. */
const looseRows = 1.3
/** The lower part of a line's letters: a rule above it is not drawn through them; in ems. */
const aboveLine = 0.4

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
    if ((rows[i] as LineRow).textRuns.length < 2) continue
    const region = growRegion(
      rows,
      i,
      ruled.map((t) => t.box),
    )
    if (!region) continue
    // Gaps in code are spaces that someone typed; titles with page numbers are a table of contents.
    if (
      isContents(region.rows) ||
      (fixedIsCode && region.rows.every((r) => r.textRuns.every((p) => p.font.mono)))
    ) {
      i = region.last
      continue
    }
    const table = buildUnruled(region, rules, page)
    if (!table) continue
    i = region.last
    if (isChart(table, page.pictures)) continue
    tables.push(table)
    for (const row of region.rows) for (const textRun of row.textRuns) taken.add(textRun)
  }
  return { tables, rest: textRuns.filter((p) => !taken.has(p)) }
}

function buildUnruled(region: Region, rules: readonly Rule[], page: Page): FoundTable | undefined {
  const columns = finest(region)
  if (columns.length < 2) return undefined
  const columnAt = (x: number): number => {
    let best = 0
    for (const [i, c] of columns.entries()) if (x >= c.x0 - bearing) best = i
    return best
  }
  const lines = region.rows.map((row) => ({
    ...row,
    parts: row.textRuns.flatMap((p) =>
      spans(p, columns) > 1 && row.textRuns.length === 1 ? [p] : splitTextRun(p, columnAt),
    ),
  }))
  if (!isTabular(lines, columns, columnAt)) return undefined
  const across = rules.filter(
    (r) => r.horizontal && r.to > (columns[0] as Box).x0 && r.from < (columns.at(-1) as Box).x1,
  )
  const groups = logicalRows(lines, columns, columnAt, across)
  if (groups.length < 2) return undefined
  const box = union(region.rows.flatMap((r) => r.textRuns.map((p) => p.box)))
  const between = columns.slice(1).map(({ x0 }, i) => ((columns[i] as Box).x1 + x0) / 2)
  const xs = [(columns[0] as Box).x0 - bearing, ...between, (columns.at(-1) as Box).x1 + bearing]
  const ys = rowEdges(groups, box)
  const places: Place[] = []
  for (const [row, group] of groups.entries()) {
    const byColumn = new Map<number, { textRuns: TextRun[]; span: number }>()
    for (const textRun of group.parts) {
      const from = columnAt(
        (Math.max(textRun.box.x0, (columns[0] as Box).x0) +
          Math.min(textRun.box.x1, textRun.box.x0 + firstLetter)) /
          2,
      )
      const span = Math.max(from, columnAt(textRun.box.x1 - bearing)) - from + 1
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
  if (page.scan && places.length < mostlyFilled * cells) return undefined
  return openTable(places, { xs, ys }, across, page)
}

/** A scan has no rules to show where a table ends: one whose cells are not filled runs over what follows it. */
const mostlyFilled = 0.6

/** In fewer lines, spaces between words stand under each other by chance. */
const leastLines = 5

/** Columns by the white that goes through all lines, or by gaps hardly wider than between words where those show more. */
function finest(region: Region): Box[] {
  const coarse = columnsOf(region)
  const lines = region.rows.map((r) => ({ ...r, textRuns: r.textRuns.flatMap(cutAtGaps) }))
  if (lines.filter((l) => l.textRuns.length > 1).length < leastLines) return coarse
  const runs = columnRuns(lines)
  return runs.length > coarse.length ? runs.map(([x0, x1]) => ({ x0, x1, y0: 0, y1: 0 })) : coarse
}

const spans = (textRun: TextRun, columns: readonly Box[]): number =>
  columns.filter((c) => Math.min(c.x1, textRun.box.x1) - Math.max(c.x0, textRun.box.x0) > 1).length

/** Lines that make one row: what wraps has no neighbour in the first column, or stands close. */
function logicalRows(
  lines: readonly PartedLine[],
  columns: readonly Box[],
  columnAt: (x: number) => number,
  rules: readonly Rule[],
): { parts: TextRun[]; y0: number; y1: number }[] {
  const out: { parts: TextRun[]; y0: number; y1: number; last: number }[] = []
  const steps = lines.slice(1).map((l, i) => l.baseline - (lines[i] as PartedLine).baseline)
  const tight = Math.min(...steps.filter((s) => s > leastStep), Infinity)
  const usual = median(steps)
  const columnsOfLine = (parts: readonly TextRun[]): Set<number> =>
    new Set(parts.map((p) => columnAt(p.box.x0 + 1)))
  const entries = lines.filter((l) => columnsOfLine(l.parts).has(0) && columnsOfLine(l.parts).size > 2).length
  /** Under an entry with its number or name in the first column: more lines of one of its other cells. */
  const describes = (line: PartedLine, step: number, entry: readonly TextRun[]): boolean => {
    const here = columnsOfLine(line.parts)
    const above = columnsOfLine(entry)
    const [only = 0] = here
    return (
      entries > 1 &&
      here.size === 1 &&
      only !== 0 &&
      above.has(0) &&
      above.has(only) &&
      step < closeToUsual * usual &&
      entry.every((p) => p.font.bold) === line.parts.every((p) => p.font.bold)
    )
  }
  const edge = (columns[0] as Box).x1
  const inStub = (p: TextRun): boolean => columnAt(p.box.x0 + 1) === 0 && p.box.x1 < edge + bearing
  /** The first column goes on, and the row with it. */
  const stubGoesOn = (line: PartedLine, step: number, entry: readonly TextRun[]): boolean => {
    const [last, next] = [entry.findLast(inStub), line.parts.find(inStub)]
    return step < closeInEms * line.size && !!last && !!next && isBroken(last, next, edge)
  }
  for (const [i, line] of lines.entries()) {
    const columnsHere = columnsOfLine(line.parts)
    const previous = out.at(-1)
    const step = i > 0 ? (steps[i - 1] as number) : 0
    const ruleBetween =
      i > 0 &&
      rules.some(
        (r) =>
          !r.weak &&
          r.at > (lines[i - 1] as PartedLine).baseline - 1 &&
          r.at < line.baseline - aboveLine * line.size,
      )
    const spansAll = line.parts.length === 1 && spans(line.parts[0] as TextRun, columns) > 1
    const wraps =
      previous !== undefined &&
      !ruleBetween &&
      !spansAll &&
      step < closeInEms * line.size + 1 &&
      columnsHere.size < columns.length &&
      (columnsHere.has(0)
        ? columnsHere.size === 1 &&
          (/^\p{Ll}/u.test(line.parts[0]?.text ?? '') ||
            (step <= tight + closeToTight && Math.max(...steps) > looseRows * tight))
        : columnsHere.size <= Math.max(1, columns.length - 2) || columns.length === 2)
    const y0 = Math.min(...line.parts.map((p) => p.box.y0))
    const y1 = Math.max(...line.parts.map((p) => p.box.y1))
    const continues =
      previous !== undefined &&
      !ruleBetween &&
      !spansAll &&
      (describes(line, step, previous.parts) || stubGoesOn(line, step, previous.parts))
    if ((wraps || continues) && previous) {
      previous.parts.push(...line.parts)
      previous.y1 = Math.max(previous.y1, y1)
    } else out.push({ parts: [...line.parts], y0, y1, last: line.baseline })
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
