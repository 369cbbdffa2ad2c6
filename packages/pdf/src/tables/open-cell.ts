import type { TextRun } from '../lines/line.ts'
import type { Page, Rule } from '../read/page.ts'
import { clearMajority, meeting } from '../tolerances.ts'
import { borderFrom, fillOf } from './ruled.ts'
import type { FoundCell, FoundTable } from './table.ts'

export interface Place {
  row: number
  column: number
  /** Number of columns. */
  span: number
  rowSpan?: number
  textRuns: TextRun[]
}

interface Edges {
  xs: number[]
  ys: number[]
}

/** A table of texts at their positions, with empty cells elsewhere. */
export function openTable(
  places: readonly Place[],
  edges: Edges,
  rules: readonly Rule[],
  page: Page,
): FoundTable {
  const { xs, ys } = edges
  const columns = xs.length - 1
  const used = new Set<number>()
  for (const { row, column, span, rowSpan = 1 } of places)
    for (let r = row; r < row + rowSpan; r++)
      for (let c = column; c < column + span; c++) used.add(r * columns + c)
  const all = [...places]
  for (let row = 0; row < ys.length - 1; row++)
    for (let column = 0; column < columns; column++)
      if (!used.has(row * columns + column)) all.push({ row, column, span: 1, textRuns: [] })
  return {
    box: { x0: xs[0] as number, x1: xs.at(-1) as number, y0: ys[0] as number, y1: ys.at(-1) as number },
    xs,
    ys,
    cells: all
      .sort((a, b) => a.row - b.row || a.column - b.column)
      .map((place) => openCell(place, edges, rules, page)),
    headerRows: 0,
    ruled: false,
  }
}

/** A cell of a table without vertical rules; horizontal rules along it are its borders. */
function openCell(
  { row, column, span, rowSpan = 1, textRuns }: Place,
  { xs, ys }: Edges,
  rules: readonly Rule[],
  page: Page,
): FoundCell {
  const box = {
    x0: xs[column] as number,
    x1: xs[column + span] as number,
    y0: ys[row] as number,
    y1: ys[row + rowSpan] as number,
  }
  const at = (y: number): Rule | undefined =>
    rules.find(
      (r) =>
        !r.weak &&
        Math.abs(r.at - y) < meeting &&
        Math.min(r.to, box.x1) - Math.max(r.from, box.x0) > clearMajority * (box.x1 - box.x0),
    )
  const top = at(box.y0)
  const bottom = at(box.y1)
  return {
    row,
    column,
    rowSpan,
    columnSpan: span,
    box,
    textRuns,
    pictures: [],
    tables: [],
    fill: fillOf(box, page.fills),
    borders: { ...(top ? { top: borderFrom(top) } : {}), ...(bottom ? { bottom: borderFrom(bottom) } : {}) },
  }
}
