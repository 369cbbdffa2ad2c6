import { area, intersection } from '../geometry.ts'
import type { FoundTable } from './table.ts'

// The same table may be seen as a grid of rules and by its lines across. The grid is right where every
// column is ruled; where only some are, the white between the texts shows more columns than the rules do.

/** Two finds are one table when they share this much of the smaller. */
const sameTable = 0.5
/** A grid that is this much larger is a form with such lines in one of its cells. */
const muchLarger = 1.6

export function choose(
  grids: readonly FoundTable[],
  open: readonly FoundTable[],
): { grids: FoundTable[]; open: FoundTable[] } {
  const kept = open.filter((o) => {
    const rivals = grids.filter((g) => overlaps(g, o))
    return rivals.every(
      (g) =>
        area(g.box) < muchLarger * area(o.box) &&
        (columnsOf(g) < columnsOf(o) || area(g.box) * muchLarger < area(o.box)),
    )
  })
  return { grids: grids.filter((g) => !kept.some((o) => overlaps(g, o))), open: kept }
}

const columnsOf = (t: FoundTable): number => t.xs.length - 1

function overlaps(a: FoundTable, b: FoundTable): boolean {
  const common = intersection(a.box, b.box)
  return common !== undefined && area(common) > sameTable * Math.min(area(a.box), area(b.box))
}
