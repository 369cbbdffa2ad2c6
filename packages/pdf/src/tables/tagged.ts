import { elementAt } from '../element-at.ts'
import { type Box, overlapX, union } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { cellAround, type Page, type Rule, type Tag, tagAround } from '../read/page.ts'
import { meeting, samePosition } from '../tolerances.ts'
import { openTable, type Place } from './open-cell.ts'
import type { FoundTable } from './table.ts'

// Tables from the structure tree. The layout must confirm it: cells of a row are side by side, rows are below each
// other, and no other text is between them. Otherwise the tags are wrong, and geometry decides.

interface TaggedRow {
  cells: { tag: Tag; textRuns: TextRun[]; box: Box }[]
  box: Box
}

export function findTagged(
  textRuns: readonly TextRun[],
  rules: readonly Rule[],
  page: Page,
): { tables: FoundTable[]; rest: TextRun[] } {
  const groups = Map.groupBy(textRuns, (p) => tagAround(cellAround(p.tag), ['Table']))
  const tables: FoundTable[] = []
  const taken = new Set<TextRun>()
  for (const [tag, own] of groups) {
    const table = tag && build(rowsOf(own), textRuns, new Set(own), rules, page)
    if (!table) continue
    tables.push(table)
    for (const textRun of own) taken.add(textRun)
  }
  return { tables, rest: textRuns.filter((p) => !taken.has(p)) }
}

function rowsOf(textRuns: readonly TextRun[]): TaggedRow[] {
  const cells = [...Map.groupBy(textRuns, (p) => cellAround(p.tag))].flatMap(([tag, own]) =>
    tag ? [{ tag, row: tagAround(tag, ['TR']), textRuns: own, box: union(own.map((p) => p.box)) }] : [],
  )
  const rows = Map.groupBy(cells, ({ row }) => row)
  rows.delete(undefined)
  return [...rows.values()]
    .map((own) => ({ cells: own.sort((a, b) => a.box.x0 - b.box.x0), box: union(own.map((c) => c.box)) }))
    .sort((a, b) => a.box.y0 - b.box.y0)
}

function build(
  rows: readonly TaggedRow[],
  all: readonly TextRun[],
  own: ReadonlySet<TextRun>,
  rules: readonly Rule[],
  page: Page,
): FoundTable | undefined {
  const fullest = rows.reduce<TaggedRow | undefined>(
    (best, row) => (best && best.cells.length >= row.cells.length ? best : row),
    undefined,
  )
  if (!fullest || rows.length < 2 || fullest.cells.length < 2) return undefined
  const box = union(rows.map((r) => r.box))
  const sideBySide = rows.every((r) =>
    r.cells.every((c, i) => i === 0 || overlapX(c.box, (r.cells[i - 1] as { box: Box }).box) < samePosition),
  )
  const belowEachOther = rows.every((r, i) => i === 0 || r.box.y0 > elementAt(rows, i - 1).box.y1 - meeting)
  const alone = !all.some(
    (p) => !own.has(p) && overlapX(p.box, box) > samePosition && p.baseline > box.y0 && p.baseline < box.y1,
  )
  if (!sideBySide || !belowEachOther || !alone) return undefined
  // A column extends from the leftmost to the rightmost text of the cells that span only this column.
  const columns = fullest.cells.map((c) => ({ x0: c.box.x0, x1: c.box.x1 }))
  for (const { cells } of rows)
    for (const cell of cells) {
      const inside = columns.filter((c) => c.x0 < cell.box.x1 && cell.box.x0 < c.x1)
      const [only] = inside
      if (inside.length !== 1 || !only) continue
      only.x0 = Math.min(only.x0, cell.box.x0)
      only.x1 = Math.max(only.x1, cell.box.x1)
    }
  const edges = columns.slice(1).map((c, i) => ((columns[i] as { x1: number }).x1 + c.x0) / 2)
  const xs = [box.x0 - meeting, ...edges, box.x1 + meeting]
  const between = rows.slice(1).map((r, i) => (elementAt(rows, i).box.y1 + r.box.y0) / 2)
  const ys = [box.y0 - 1, ...between, box.y1 + 1]
  const columnAt = (x: number): number => Math.min(columns.length - 1, edges.filter((e) => x >= e).length)
  const places: Place[] = []
  for (const [row, r] of rows.entries()) {
    let next = 0
    for (const { box: text, textRuns } of r.cells) {
      const column = columnAt(text.x0 + 1)
      if (column < next) return undefined
      const span = Math.max(1, columnAt(text.x1 - 1) - column + 1)
      next = column + span
      places.push({ row, column, span, textRuns })
    }
  }
  const horizontal = rules.filter((r) => r.horizontal)
  const headerRows = rows.findIndex((r) => !r.cells.every((c) => c.tag.type === 'TH'))
  return { ...openTable(places, { xs, ys }, horizontal, page), headerRows: Math.max(0, headerRows) }
}
