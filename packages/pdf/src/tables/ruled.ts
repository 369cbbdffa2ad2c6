import {
  area,
  type Box,
  centreX,
  centreY,
  contains,
  firstFrom,
  overlapX,
  shareInside,
  width,
} from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { rowsOf } from '../lines/line-rows.ts'
import { splitTextRun } from '../lines/split-text-run.ts'
import type { Fill, Picture, Rule } from '../read/page.ts'
import { clearMajority, farthestRow } from '../tolerances.ts'
import { buildGrid, type Grid } from './grid.ts'
import { isPale } from './rules.ts'
import { headLines } from './strips.ts'
import type { Border, FoundCell, FoundTable } from './table.ts'

export interface Content {
  textRuns: readonly TextRun[]
  pictures: readonly Picture[]
  fills: readonly Fill[]
}

/** A smaller box contains a letter or two, not a table; in points. */
const narrowest = 18
/** Precision of numbers in a PDF, in points; texts beyond the table are moved inside its outermost cells by more. */
const precision = 0.01
const justInside = 2 * precision
/** Maximum width of a border in Word, in points. */
const thickestBorder = 6

/** Builds a table from connected rules and the text inside; undefined if they are not a table. */
export function ruledTable(
  rules: readonly Rule[],
  content: Content,
  pageArea: number,
): FoundTable | undefined {
  const grid = buildGrid(rules)
  if (!grid) return undefined
  const box: Box = {
    x0: grid.xs[0] as number,
    y0: grid.ys[0] as number,
    x1: grid.xs.at(-1) as number,
    y1: grid.ys.at(-1) as number,
  }
  if (width(box) < narrowest) return undefined
  const inside = content.textRuns.filter((p) => contains(box, centreX(p.box), centreY(p.box), 1))
  if (inside.length === 0) return undefined
  const cells: FoundCell[] = grid.cells.map((cell) => ({
    ...cell,
    textRuns: [],
    pictures: [],
    tables: [],
    fill: fillOf(cell.box, content.fills),
    borders: bordersOf(cell, grid),
  }))
  const owners = new Map<string, FoundCell>()
  for (const cell of cells)
    for (let r = cell.row; r < cell.row + cell.rowSpan; r++)
      for (let c = cell.column; c < cell.column + cell.columnSpan; c++) owners.set(`${r} ${c}`, cell)
  // Text on an edge belongs to the cell above or before it.
  const cellAt = (x: number, y: number): FoundCell | undefined =>
    owners.get(`${firstFrom(grid.ys, y - precision) - 1} ${firstFrom(grid.xs, x - precision) - 1}`)
  for (const textRun of inside) {
    const y = centreY(textRun.box)
    const parts = splitTextRun(textRun, (x) => {
      const cell = cellAt(Math.min(Math.max(x, box.x0 + justInside), box.x1 - justInside), y)
      return cell ? cells.indexOf(cell) : -1
    })
    for (const part of parts)
      cellAt(
        Math.min(Math.max(centreX(part.box), box.x0 + justInside), box.x1 - justInside),
        Math.min(Math.max(y, box.y0 + justInside), box.y1 - justInside),
      )?.textRuns.push(part)
  }
  for (const picture of content.pictures) {
    if (shareInside(picture.box, box) < clearMajority) continue
    cellAt(centreX(picture.box), centreY(picture.box))?.pictures.push(picture)
  }
  if (cells.length === 1 && area(box) >= clearMajority * pageArea) return undefined
  const filled = cells.filter((c) => c.textRuns.length > 0)
  const isShaded = rules.every((r) => r.weak) && grid.xs.length > 2
  const height = grid.ys.length - 1
  // A shaded row may be the header of a table that is not drawn; so may two if rows follow.
  const isHead = height === 1 || (height === headLines && goesOnBelow(grid.xs, box, content.textRuns))
  if (isShaded && (isHead || areStacked(filled))) return undefined
  return { box, xs: grid.xs, ys: grid.ys, cells, headerRows: 0, ruled: true }
}

/** Whether the line below the box has texts in several of its columns. */
function goesOnBelow(xs: readonly number[], box: Box, textRuns: readonly TextRun[]): boolean {
  const below = textRuns.filter(
    (p) => overlapX(p.box, box) > 0 && p.baseline > box.y1 && p.baseline - box.y1 < farthestRow * p.size,
  )
  const first = rowsOf(below)[0]?.textRuns ?? []
  return first.length > 1 && !first.some((p) => xs.some((x) => x > p.box.x0 && x < p.box.x1))
}

/** Colour areas behind one text each, of different widths, are shaded lines: code or highlighted words. */
const areStacked = (filled: readonly FoundCell[]): boolean =>
  new Set(filled.map((c) => c.row)).size === filled.length

function bordersOf(
  cell: { row: number; column: number; rowSpan: number; columnSpan: number; box: Box },
  grid: Grid,
): FoundCell['borders'] {
  const { box } = cell
  const out: FoundCell['borders'] = {}
  const put = (side: keyof FoundCell['borders'], rule: Rule | undefined): void => {
    if (rule && !rule.weak) out[side] = borderFrom(rule)
  }
  put('top', grid.horizontal(cell.row, box.x0, box.x1))
  put('bottom', grid.horizontal(cell.row + cell.rowSpan, box.x0, box.x1))
  put('left', grid.vertical(cell.column, box.y0, box.y1))
  put('right', grid.vertical(cell.column + cell.columnSpan, box.y0, box.y1))
  return out
}

export const borderFrom = (rule: Rule): Border => ({
  width: Math.min(rule.thickness, thickestBorder),
  color: rule.color,
})

/** The last area that is painted over most of the cell. */
export function fillOf(box: Box, fills: readonly Fill[]): string | undefined {
  let color: string | undefined
  for (const fill of fills) if (shareInside(box, fill.box) > clearMajority) color = fill.color
  return color !== undefined && !isPale(color) ? color : undefined
}
