import type { Rule } from '../read/page.ts'
import { majority, meeting, rounding } from '../tolerances.ts'
import { clusterPositions } from './rules.ts'
import type { FoundCell } from './table.ts'

// Converts a group of connected rules to a grid and its cells: adjacent grid positions without a rule between them are
// one cell.

type GridCell = Pick<FoundCell, 'row' | 'column' | 'rowSpan' | 'columnSpan' | 'box'>

export interface Grid {
  xs: number[]
  ys: number[]
  cells: GridCell[]
  /** Whether a rule runs along the edge between two positions. */
  vertical: (column: number, y0: number, y1: number) => Rule | undefined
  horizontal: (row: number, x0: number, x1: number) => Rule | undefined
}

/** Maximum number of cells. More are a drawing, and each takes time. */
const largestGrid = 12_000
/** With open sides, horizontal rules extend beyond the vertical ones by more than a corner, in points. */
const far = 9

export function buildGrid(rules: readonly Rule[]): Grid | undefined {
  const hs = rules.filter((r) => r.horizontal)
  const vs = rules.filter((r) => !r.horizontal)
  if (hs.length < 2) return undefined
  const left = Math.min(...hs.map((r) => r.from))
  const right = Math.max(...hs.map((r) => r.to))
  let xs = clusterPositions(
    vs.map((r) => r.at),
    meeting,
  )
  const ys = clusterPositions(
    hs.map((r) => r.at),
    meeting,
  )
  // Open sides: the horizontal rules extend beyond the outermost vertical ones.
  if (xs.length === 0) return undefined
  if ((xs[0] as number) - left > far) xs = [left, ...xs]
  if (right - (xs.at(-1) as number) > far) xs = [...xs, right]
  const top = Math.min(...vs.map((r) => r.from))
  const bottom = Math.max(...vs.map((r) => r.to))
  if (ys.length > 0 && (ys[0] as number) - top > far) ys.unshift(top)
  if (ys.length > 0 && bottom - (ys.at(-1) as number) > far) ys.push(bottom)
  if (xs.length < 2 || ys.length < 2 || xs.length * ys.length > largestGrid) return undefined

  const lanesV = xs.map((x) => vs.filter((r) => Math.abs(r.at - x) <= meeting + rounding))
  const lanesH = ys.map((y) => hs.filter((r) => Math.abs(r.at - y) <= meeting + rounding))
  const covering = (lane: readonly Rule[], from: number, to: number): Rule | undefined => {
    let covered = 0
    let best: Rule | undefined
    for (const r of lane) {
      const common = Math.min(r.to, to) - Math.max(r.from, from)
      if (common <= 0) continue
      covered += common
      if (!best || common > Math.min(best.to, to) - Math.max(best.from, from) || (best.weak && !r.weak))
        best = r
    }
    return covered >= majority * (to - from) ? best : undefined
  }
  const vertical = (column: number, y0: number, y1: number): Rule | undefined =>
    covering(lanesV[column] ?? [], y0, y1)
  const horizontal = (row: number, x0: number, x1: number): Rule | undefined =>
    covering(lanesH[row] ?? [], x0, x1)
  const outline = { xs, ys }
  return { ...outline, cells: findCells(xs, ys, vertical, horizontal), vertical, horizontal }
}

function findCells(
  xs: readonly number[],
  ys: readonly number[],
  vertical: Grid['vertical'],
  horizontal: Grid['horizontal'],
): GridCell[] {
  const rows = ys.length - 1
  const columns = xs.length - 1
  const owner = new Int32Array(rows * columns).fill(-1)
  const cells: GridCell[] = []
  const x = (i: number): number => xs[i] as number
  const y = (i: number): number => ys[i] as number
  const openRight = (r: number, c: number): boolean => c + 1 < columns && !vertical(c + 1, y(r), y(r + 1))
  const openDown = (r: number, c: number): boolean => r + 1 < rows && !horizontal(r + 1, x(c), x(c + 1))
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      if (owner[r * columns + c] !== -1) continue
      // Everything that is reachable without crossing a rule, as one rectangle.
      let [r1, c0, c1] = [r, c, c]
      for (let grown = true; grown; ) {
        grown = false
        for (let i = r; i <= r1; i++) {
          if (c1 + 1 < columns && openRight(i, c1) && owner[i * columns + c1 + 1] === -1) {
            c1++
            grown = true
          }
          if (c0 > 0 && openRight(i, c0 - 1) && owner[i * columns + c0 - 1] === -1) {
            c0--
            grown = true
          }
        }
        for (let j = c0; j <= c1; j++)
          if (r1 + 1 < rows && openDown(r1, j) && owner[(r1 + 1) * columns + j] === -1) {
            r1++
            grown = true
          }
      }
      // A rectangle that would overlap an existing cell is reduced to the free part.
      let free = true
      for (let i = r; i <= r1 && free; i++)
        for (let j = c0; j <= c1; j++) if (owner[i * columns + j] !== -1) free = false
      if (!free) {
        ;[r1, c0, c1] = [r, c, c]
        while (c1 + 1 < columns && openRight(r, c1) && owner[r * columns + c1 + 1] === -1) c1++
      }
      for (let i = r; i <= r1; i++) for (let j = c0; j <= c1; j++) owner[i * columns + j] = cells.length
      cells.push({
        row: r,
        column: c0,
        rowSpan: r1 - r + 1,
        columnSpan: c1 - c0 + 1,
        box: { x0: x(c0), y0: y(r), x1: x(c1 + 1), y1: y(r1 + 1) },
      })
    }
  return cells
}
