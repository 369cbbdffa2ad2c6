import { elementAt } from '../element-at.ts'
import { centreX, centreY, contains } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import type { Page, Rule } from '../read/page.ts'
import { meeting } from '../tolerances.ts'
import { openTable, type Place } from './open-cell.ts'
import { rowsOf } from './open-rows.ts'
import { findRegions, type Region } from './regions.ts'
import { type SpannedText, withSpans } from './row-spans.ts'
import type { Interval } from './strips.ts'
import type { FoundTable } from './table.ts'
import { columnRuns } from './whitespace-runs.ts'

/** Finds tables by their horizontal rules. */
export const findOpen = (textRuns: readonly TextRun[], rules: readonly Rule[], page: Page): FoundTable[] =>
  findRegions(rules, textRuns).flatMap((region) => {
    const columns = columnRuns(region.lines)
    const table = columns.length < 2 ? undefined : tableOf(region, columns, page)
    if (!table) return []
    const placed = new Set(table.cells.flatMap((c) => c.textRuns))
    const strays = textRuns.filter((p) => !region.sources.has(p) && !placed.has(p))
    return [withStrays(table, strays)]
  })

/** Assigns rotated text, and other text inside the table that is not part of its lines, to the cell at its position. */
function withStrays(table: FoundTable, textRuns: readonly TextRun[]): FoundTable {
  const strays = textRuns.filter((p) => contains(table.box, centreX(p.box), centreY(p.box), 1))
  const hosts = strays.map((p) => table.cells.find((c) => contains(c.box, centreX(p.box), centreY(p.box), 1)))
  const cells = table.cells.map((cell) => ({
    ...cell,
    textRuns: [...cell.textRuns, ...strays.filter((_, i) => hosts[i] === cell)],
  }))
  return { ...table, cells }
}

export function tableOf(
  region: Omit<Region, 'sources'>,
  columns: readonly Interval[],
  page: Page,
): FoundTable | undefined {
  const drawn = [...region.rules, ...region.short]
  const { rows, texts } = withSpans(rowsOf(region, columns), columns, drawn)
  if (rows.length < 2) return undefined
  const xs = edgesBetween(columns, region.x0, region.x1)
  const ys = rowEdges(
    rows.map((r) => [r.y0, r.y1]),
    region.rules,
  )
  const places: Place[] = []
  const owners = new Map<number, Place>()
  const spots = ({ row, rows: down, from, to }: SpannedText): number[] =>
    Array.from(
      { length: down * (to - from + 1) },
      (_, i) => (row + (i % down)) * columns.length + from + Math.floor(i / down),
    )
  for (const wide of [...texts].sort((a, b) => a.row - b.row || a.from - b.from)) {
    // If two texts claim the same position, the second is reduced to its first cell.
    const text = spots(wide).some((spot) => owners.has(spot)) ? { ...wide, to: wide.from, rows: 1 } : wide
    const host = owners.get(text.row * columns.length + text.from)
    if (host) host.textRuns.push(...text.textRuns)
    else {
      const place = { ...text, column: text.from, span: text.to - text.from + 1, rowSpan: text.rows }
      places.push(place)
      for (const spot of spots(text)) owners.set(spot, place)
    }
  }
  return openTable(places, { xs, ys }, drawn, page)
}

function edgesBetween(columns: readonly Interval[], left: number, right: number): number[] {
  const inner = columns.slice(1).map(([a], i) => (elementAt(columns, i)[1] + a) / 2)
  return [Math.min(left, elementAt(columns, 0)[0]), ...inner, Math.max(right, elementAt(columns, -1)[1])]
}

/** Row edges are on the rules between rows if there are any, otherwise halfway between them. */
function rowEdges(rows: readonly Interval[], rules: readonly Rule[]): number[] {
  const at = (y0: number, y1: number): number => {
    const middle = (y0 + y1) / 2
    const rule = rules.find((r) => r.at > Math.min(y0, y1) - meeting && r.at < Math.max(y0, y1) + meeting)
    return rule ? rule.at : middle
  }
  const first = rules[0]?.at ?? elementAt(rows, 0)[0]
  const last = rules.at(-1)?.at ?? elementAt(rows, -1)[1]
  const out = [Math.min(first, elementAt(rows, 0)[0])]
  for (let i = 1; i < rows.length; i++)
    out.push(Math.max(at(elementAt(rows, i - 1)[1], elementAt(rows, i)[0]), (out.at(-1) as number) + 1))
  out.push(Math.max(last, elementAt(rows, -1)[1], (out.at(-1) as number) + 1))
  return out
}
