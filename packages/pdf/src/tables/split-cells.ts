import { union, width } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { rowsOf, sameLine } from '../lines/line-rows.ts'
import { splitTextRun } from '../lines/split-text-run.ts'
import { clearMajority, majority, minPattern, samePosition } from '../tolerances.ts'
import { usualSize } from '../typography.ts'
import { wouldFit } from './row-wraps.ts'
import { copyTable, type FoundCell, type FoundTable } from './table.ts'

// Tables with rules only around them and between columns: a band of cells whose lines share baselines consists of
// several rows.

/** Cap height plus the space above it, in ems: the distance between the top of a row and its first baseline. */
const aboveBaseline = 0.95

export function splitRows(given: FoundTable): FoundTable {
  const table = copyTable(given)
  for (let row = table.ys.length - 2; row >= 0; row--) {
    const cells = table.cells.filter((c) => c.row === row && c.rowSpan === 1)
    if (cells.length < 2 || table.cells.some((c) => c.row < row && c.row + c.rowSpan > row)) continue
    const starts = rowStarts(cells)
    if (starts.length > 1) splitRow(table, row, cells, starts)
  }
  return table
}

/** Whether the cells of a row contain several rows. */
export const holdsRows = (cells: readonly FoundCell[]): boolean => rowStarts(cells).length > 1

function baselines(textRuns: readonly TextRun[]): number[] {
  const out: number[] = []
  for (const y of textRuns.map((p) => p.baseline).sort((a, b) => a - b))
    if (out.length === 0 || y - (out.at(-1) as number) > sameLine) out.push(y)
  return out
}

const isNumber = (p: TextRun): boolean => /^[\s\d.,%()€$£+±−-]+$/.test(p.text)

/** Baselines at which a new row begins, or only the first one. */
function rowStarts(cells: readonly FoundCell[]): number[] {
  const filled = cells.filter((c) => c.textRuns.length > 0 && c.tables.length === 0)
  const perCell = filled.map((c) => baselines(c.textRuns))
  const texts = filled.flatMap((c) => c.textRuns)
  const all = baselines(texts)
  const [first] = all
  if (first === undefined) return []
  if (perCell.filter((b) => b.length > 1).length < 2 || all.length < minPattern) return [first]
  // An equal number of lines in every cell, at the same heights, are rows if a cell has numbers or there are three
  // lines.
  const inStep =
    perCell.every((b) => b.length === all.length) &&
    (filled.length > 2 || filled.some((c) => c.textRuns.every(isNumber)))
  if (filled.some(isText) && !inStep) return [first]
  const isShared = (y: number): boolean =>
    perCell.filter((b) => b.some((own) => Math.abs(own - y) <= sameLine)).length > 1
  // Lines without a counterpart in other cells belong to the row above.
  return all.filter((y) => y === first || isShared(y))
}

/** Whether most lines of the cell end because the next word did not fit. */
function isText({ box, textRuns }: FoundCell): boolean {
  const padding = Math.min(...textRuns.flatMap((p) => [p.box.x0 - box.x0, box.x1 - p.box.x1]))
  const room = width(box) - 2 * padding
  const breaks = rowsOf(textRuns).flatMap(({ textRuns: lower }, i, lines) => {
    const upper = lines[i - 1]?.textRuns ?? []
    const next = lower[0]
    if (!next || upper.length === 0 || (upper.every(isNumber) && isNumber(next))) return []
    return [wouldFit(union(upper.map((p) => p.box)), next, room)]
  })
  return breaks.length > 0 && breaks.filter((fits) => !fits).length >= majority * breaks.length
}

function splitRow(
  table: FoundTable,
  row: number,
  cells: readonly FoundCell[],
  starts: readonly number[],
): void {
  const top = table.ys[row] as number
  const bottom = table.ys[row + 1] as number
  const sizeAt = cells.flatMap((c) => c.textRuns)[0]?.size ?? usualSize
  const edges = [top, ...starts.slice(1).map((y) => y - aboveBaseline * sizeAt), bottom]
  for (let i = 1; i < edges.length; i++) edges[i] = Math.max(edges[i] as number, (edges[i - 1] as number) + 1)
  const added = starts.length - 1
  for (const c of table.cells) if (c.row > row) c.row += added
  table.ys.splice(row + 1, 0, ...edges.slice(1, -1))
  table.cells = table.cells.filter((c) => !cells.includes(c))
  for (const cell of cells)
    for (let i = 0; i < starts.length; i++) {
      const y0 = edges[i] as number
      const y1 = edges[i + 1] as number
      const { top: t, bottom: b, left, right } = cell.borders
      table.cells.push({
        ...cell,
        row: row + i,
        box: { ...cell.box, y0, y1 },
        textRuns: cell.textRuns.filter(
          (p) =>
            p.baseline >= (i === 0 ? -Infinity : (starts[i] as number) - sameLine) &&
            p.baseline < (starts[i + 1] ?? Infinity) - sameLine,
        ),
        pictures: i === 0 ? cell.pictures : [],
        tables: [],
        borders: {
          ...(i === 0 && t ? { top: t } : {}),
          ...(i === starts.length - 1 && b ? { bottom: b } : {}),
          ...(left ? { left } : {}),
          ...(right ? { right } : {}),
        },
      })
    }
}

// A wide cell whose words are aligned with the columns below consists of several cells: the rules between them were
// omitted.

export function splitSpans(given: FoundTable): FoundTable {
  const table = { ...given, cells: [...given.cells] }
  for (const cell of given.cells) {
    if (cell.columnSpan < 2 || cell.rowSpan > 1 || cell.tables.length > 0 || cell.textRuns.length === 0)
      continue
    const parts = byColumn(cell, table)
    if (!parts) continue
    table.cells.splice(table.cells.indexOf(cell), 1)
    for (let c = cell.column; c < cell.column + cell.columnSpan; c++) {
      const { left, right, ...rest } = cell.borders
      table.cells.push({
        ...cell,
        column: c,
        columnSpan: 1,
        box: { ...cell.box, x0: table.xs[c] as number, x1: table.xs[c + 1] as number },
        textRuns: parts.get(c) ?? [],
        pictures: c === cell.column ? cell.pictures : [],
        borders: {
          ...rest,
          ...(c === cell.column && left ? { left } : {}),
          ...(c === cell.column + cell.columnSpan - 1 && right ? { right } : {}),
        },
      })
    }
  }
  return table
}

function byColumn(cell: FoundCell, table: FoundTable): Map<number, TextRun[]> | undefined {
  if (rowsOf(cell.textRuns).length > 1) return undefined
  const words = cell.textRuns.flatMap((p) => p.words)
  if (words.length < 2 || cell.textRuns.length < 2) return undefined
  const inner = table.xs.slice(cell.column + 1, cell.column + cell.columnSpan)
  // A word samePosition a boundary shows that it is one cell.
  if (words.some((w) => inner.some((x) => w.box.x0 < x - samePosition && w.box.x1 > x + samePosition)))
    return undefined
  const columnAt = (x: number): number => {
    let c = cell.column
    while (c + 1 < cell.column + cell.columnSpan && x >= (table.xs[c + 1] as number)) c++
    return c
  }
  const parts = cell.textRuns.flatMap((p) => splitTextRun(p, columnAt))
  const out = Map.groupBy(parts, ({ box }) => columnAt((box.x0 + box.x1) / 2))
  return out.size >= Math.max(2, clearMajority * cell.columnSpan) ? out : undefined
}
