import { area, centreX, centreY, contains, height, overlapX, overlapY, shareInside } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { isSameLine, rowsOf } from '../lines/line-rows.ts'
import type { Page, Rule } from '../read/page.ts'
import { farthestRow, majority, meeting, nearlyAll } from '../tolerances.ts'
import { choose } from './choose.ts'
import { isChart, isContents } from './not-tables.ts'
import { findOpen } from './open-table.ts'
import { ruledTable } from './ruled.ts'
import { joinRules, meetingRules, withoutInnerEdges } from './rules.ts'
import { splitRows, splitSpans } from './split-cells.ts'
import { copyTable, type FoundCell, type FoundTable } from './table.ts'
import { findTagged } from './tagged.ts'

// Finds the tables of a page by rules, then those by tags that the layout confirms. Tables that only the alignment of
// text shows are found in the columns of the page (`unruled.ts`).

export interface TableInput {
  page: Page
  textRuns: readonly TextRun[]
  turned: readonly TextRun[]
  rules: readonly Rule[]
}

export interface TableOutput {
  tables: FoundTable[]
  /** Text outside tables. */
  textRuns: TextRun[]
  /** Rotated text outside tables. */
  turned: TextRun[]
  rules: Rule[]
}

export function findDrawnTables(input: TableInput): TableOutput {
  const { page } = input
  const rules = joinRules(input.rules, page.fills, page)
  const pageArea = page.width * page.height
  const all = [...input.textRuns, ...input.turned]
  const content = { textRuns: all, pictures: page.pictures, fills: page.fills }
  const groups = meetingRules(rules, meeting).map((group) => withoutInnerEdges(group, page.fills))
  const gridded = groups.map((group) => ruledTable(group, content, pageArea)).filter((t) => t !== undefined)
  const isTable = (t: FoundTable): boolean => !isChart(t, all, page.pictures) && !isFieldFrame(t, all)
  const { grids: ruled, open } = choose(
    withoutShadedRows(gridded.filter(isTable).flatMap(partBoxes)),
    findOpen(all, rules, page).filter((t) => isTable(t) && !isContents(t)),
  )
  const nesting = nest(ruled.toSorted((a, b) => area(b.box) - area(a.box)))
  const top = [...nesting.map((table) => splitSpans(splitRows(table))), ...open]
  const inTable = (x: number, y: number): boolean => top.some((t) => contains(t.box, x, y, 1))
  const isFree = ({ box }: TextRun): boolean => !inTable(centreX(box), centreY(box))
  const tagged = findTagged(input.textRuns.filter(isFree), rules, page)
  return {
    tables: [...top, ...tagged.tables],
    textRuns: tagged.rest,
    turned: input.turned.filter(isFree),
    rules: rules.filter(
      (r) => !inTable(r.horizontal ? (r.from + r.to) / 2 : r.at, r.horizontal ? r.at : (r.from + r.to) / 2),
    ),
  }
}

/** A frame around a single line with text beside it is that of a form field. */
function isFieldFrame({ box, cells: [cell, ...others] }: FoundTable, textRuns: readonly TextRun[]): boolean {
  if (!cell || others.length > 0 || rowsOf(cell.textRuns).length !== 1 || isUnruled(cell)) return false
  const [first] = cell.textRuns
  return (
    first !== undefined &&
    height(box) < farthestRow * first.size &&
    textRuns.some((p) => isSameLine(p, first) && !cell.textRuns.includes(p))
  )
}

/**
 * Shaded areas below each other, without lines, are boxes of text: the title and the body of a block on a slide. So are
 * areas around text that is not shaded: the bars of a web page.
 */
function partBoxes(table: FoundTable): FoundTable[] {
  const { cells, xs } = table
  const isColumn = xs.length === 2 && cells.every((c) => isPlainArea(c) && c.rowSpan === 1)
  const isAround =
    cells.every(isUnruled) && cells.some((c) => !c.fill && rowsOf(c.textRuns).length >= linesOfText)
  if (!isColumn && !isAround) return [table]
  return cells.filter(isPlainArea).map((cell) => {
    const { box } = cell
    const place = { row: 0, column: 0, rowSpan: 1, columnSpan: 1 }
    return { ...table, box, xs: [box.x0, box.x1], ys: [box.y0, box.y1], cells: [{ ...cell, ...place }] }
  })
}

/** No cell of a table has so many lines. */
const linesOfText = 12

const isUnruled = ({ borders }: FoundCell): boolean => Object.keys(borders).length === 0
const isPlainArea = (cell: FoundCell): boolean => cell.fill !== undefined && isUnruled(cell)

/**
 * Programs may shade the paragraphs of a row instead of its cells. Such areas side by side show no table, but a row of
 * one that is not drawn.
 */
function withoutShadedRows(tables: readonly FoundTable[]): FoundTable[] {
  const areas = tables.filter(isShadedArea)
  return tables.filter(
    (t) =>
      !isShadedArea(t) ||
      !areas.some(
        (o) =>
          overlapX(o.box, t.box) <= 0 &&
          overlapY(o.box, t.box) > majority * Math.min(height(o.box), height(t.box)),
      ),
  )
}

const isShadedArea = ({ cells: [cell, ...others] }: FoundTable): boolean =>
  cell !== undefined && others.length === 0 && isPlainArea(cell)

/** Nests tables into the cells that contain nearly all of them. One as large as its cell is the cell's border. The input is sorted by size. */
function nest(tables: readonly FoundTable[]): FoundTable[] {
  const top: FoundTable[] = []
  for (const table of tables.map(copyTable)) {
    const host = top.find((t) => shareInside(table.box, t.box) > nearlyAll)
    const cell = host?.cells.find((c) => shareInside(table.box, c.box) > nearlyAll)
    if (!host) top.push(table)
    else if (cell && table.cells.length > 1 && area(table.box) < nearlyAll * area(cell.box)) {
      const inner = new Set(table.cells.flatMap((c) => c.textRuns.map((p) => p.order)))
      cell.textRuns = cell.textRuns.filter(
        (p) => !(contains(table.box, centreX(p.box), centreY(p.box), 1) && inner.has(p.order)),
      )
      cell.tables.push(table)
    }
  }
  return top
}
