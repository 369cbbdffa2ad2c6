import type { TextRun } from '../lines/line.ts'
import { rowsOf } from '../lines/line-rows.ts'
import { splitTextRun } from '../lines/split-text-run.ts'
import { clearMajority, samePosition } from '../tolerances.ts'
import type { FoundCell, FoundTable } from './table.ts'

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
