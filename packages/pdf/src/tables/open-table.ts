import { centreX, centreY, contains } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import type { Page, Rule } from '../read/page.ts'
import { openCell } from './open-cell.ts'
import { rowsOf } from './open-rows.ts'
import { holdsProse } from './prose.ts'
import { findRegions, type Region } from './regions.ts'
import { type SpannedText, withSpans } from './row-spans.ts'
import type { Interval } from './strips.ts'
import type { FoundCell, FoundTable } from './table.ts'
import { placeNames, turnedNames, withNameColumns } from './turned-names.ts'
import { columnRuns } from './whitespace-runs.ts'

/** Texts may reach over the rule between their rows by this, in points: accents, tails and brackets. */
const overRule = 3

/** Tables that lines across show. */
export const findOpen = (textRuns: readonly TextRun[], rules: readonly Rule[], page: Page): FoundTable[] =>
  findRegions(rules, textRuns).flatMap((region) => {
    const table = openTable(region, textRuns, page)
    if (!table) return []
    const placed = new Set(table.cells.flatMap((c) => c.textRuns))
    const strays = textRuns.filter((p) => !region.sources.has(p) && !placed.has(p))
    return [withStrays(table, strays)]
  })

/** Turned text and what else stands in the table without being of its lines goes to the cell it stands in. */
function withStrays(table: FoundTable, textRuns: readonly TextRun[]): FoundTable {
  const strays = textRuns.filter((p) => contains(table.box, centreX(p.box), centreY(p.box), 1))
  const hosts = strays.map((p) => table.cells.find((c) => contains(c.box, centreX(p.box), centreY(p.box), 1)))
  const cells = table.cells.map((cell) => ({
    ...cell,
    textRuns: [...cell.textRuns, ...strays.filter((_, i) => hosts[i] === cell)],
  }))
  return { ...table, cells }
}

function openTable(region: Region, textRuns: readonly TextRun[], page: Page): FoundTable | undefined {
  const upright = columnRuns(region.lines, region)
  if (upright.length < 2 || holdsProse(region, upright)) return undefined
  const names = turnedNames(region, upright, textRuns)
  const columns = withNameColumns(upright, names)
  const drawn = [...region.rules, ...region.short]
  const { rows, texts: inLines } = withSpans(rowsOf(region, columns), columns, drawn)
  if (rows.length < 2) return undefined
  const texts = [...inLines, ...placeNames(names, rows, columns, region)]
  const xs = edgesBetween(columns, region.x0, region.x1)
  const ys = rowEdges(
    rows.map((r) => [r.y0, r.y1]),
    region.rules,
  )
  const cells: FoundCell[] = []
  const used = new Set<string>()
  const isFree = (t: SpannedText): boolean => {
    for (let r = t.row; r < t.row + t.rows; r++)
      for (let c = t.from; c <= t.to; c++) if (used.has(`${r} ${c}`)) return false
    return true
  }
  const add = (t: SpannedText): void => {
    for (let r = t.row; r < t.row + t.rows; r++) for (let c = t.from; c <= t.to; c++) used.add(`${r} ${c}`)
    const place = {
      row: t.row,
      column: t.from,
      span: t.to - t.from + 1,
      rowSpan: t.rows,
      textRuns: t.textRuns,
    }
    cells.push(openCell(place, { xs, ys }, drawn, page))
  }
  for (const text of [...texts].sort((a, b) => a.row - b.row || a.from - b.from)) {
    // Where two texts claim a place, the second keeps to what is free.
    const narrow = isFree(text) ? text : { ...text, to: text.from, rows: 1 }
    if (isFree(narrow)) add(narrow)
    else {
      const host = cells.find(
        (c) =>
          c.row <= text.row &&
          c.row + c.rowSpan > text.row &&
          c.column <= text.from &&
          c.column + c.columnSpan > text.from,
      )
      host?.textRuns.push(...text.textRuns)
    }
  }
  for (const [row] of rows.entries())
    for (const [from] of columns.entries())
      if (!used.has(`${row} ${from}`)) add({ textRuns: [], row, rows: 1, from, to: from })
  return {
    box: { x0: xs[0] as number, x1: xs.at(-1) as number, y0: ys[0] as number, y1: ys.at(-1) as number },
    xs,
    ys,
    cells,
    headerRows: 0,
    ruled: false,
  }
}

function edgesBetween(columns: readonly Interval[], left: number, right: number): number[] {
  const inner = columns.slice(1).map(([a], i) => ((columns[i] as Interval)[1] + a) / 2)
  return [
    Math.min(left, (columns[0] as Interval)[0]),
    ...inner,
    Math.max(right, (columns.at(-1) as Interval)[1]),
  ]
}

/** Edges lie on the rules between rows where there are any, else half way. */
function rowEdges(rows: readonly Interval[], rules: readonly Rule[]): number[] {
  const at = (y0: number, y1: number): number => {
    const middle = (y0 + y1) / 2
    const rule = rules.find((r) => r.at > Math.min(y0, y1) - overRule && r.at < Math.max(y0, y1) + overRule)
    return rule ? rule.at : middle
  }
  const first = rules[0]?.at ?? (rows[0] as Interval)[0]
  const last = rules.at(-1)?.at ?? (rows.at(-1) as Interval)[1]
  const out = [Math.min(first, (rows[0] as Interval)[0])]
  for (let i = 1; i < rows.length; i++)
    out.push(Math.max(at((rows[i - 1] as Interval)[1], (rows[i] as Interval)[0]), (out.at(-1) as number) + 1))
  out.push(Math.max(last, (rows.at(-1) as Interval)[1], (out.at(-1) as number) + 1))
  return out
}
