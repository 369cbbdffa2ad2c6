import { area, intersection } from '../geometry.ts'
import { majority, nearlyAll } from '../tolerances.ts'
import { holdsRows } from './split-cells.ts'
import type { FoundTable } from './table.ts'

// The same table may be detected as a grid of rules and by its horizontal rules. The grid is right if every cell is
// closed and every row ruled: then the columns were drawn as well. If rules are missing, the whitespace between the
// texts shows more columns than the rules do.

/** A grid larger by this factor is a form with such a table in one of its cells. */
const muchLarger = 1.6

export function choose(
  grids: readonly FoundTable[],
  open: readonly FoundTable[],
): { grids: FoundTable[]; open: FoundTable[] } {
  const kept = open.filter((o) => {
    const rivals = grids.filter((g) => overlaps(g, o))
    return rivals.every(
      (g) =>
        !isComplete(g) &&
        area(g.box) < muchLarger * area(o.box) &&
        (columnsOf(g) <= columnsOf(o) || area(g.box) * muchLarger < area(o.box)),
    )
  })
  return { grids: grids.filter((g) => !kept.some((o) => overlaps(g, o))), open: kept }
}

/** Whether its cells are closed and no row contains several rows of text. */
function isComplete(g: FoundTable): boolean {
  const closed = g.cells.filter(({ borders: b }) => b.top && b.bottom && b.left && b.right).length
  return (
    columnsOf(g) > 1 &&
    closed >= nearlyAll * g.cells.length &&
    g.ys.every((_, row) => !holdsRows(g.cells.filter((c) => c.row === row && c.rowSpan === 1)))
  )
}

const columnsOf = (t: FoundTable): number => t.xs.length - 1

function overlaps(a: FoundTable, b: FoundTable): boolean {
  const common = intersection(a.box, b.box)
  return common !== undefined && area(common) > majority * Math.min(area(a.box), area(b.box))
}
