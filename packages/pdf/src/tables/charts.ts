import { area, centreX, centreY, contains, grow, intersection } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { rowsOf } from '../lines/line-rows.ts'
import type { Picture } from '../read/page.ts'
import { farthestRow, majority, meeting, samePosition, surePattern } from '../tolerances.ts'
import { clusterPositions } from './rules.ts'
import type { FoundTable } from './table.ts'

// The labels of a chart are aligned like the cells of a table, and its bars and grid lines are drawn like them, but it
// has a scale: numbers with equal steps at equal distances, beside drawings or mostly empty cells.

/** A drawing with a smaller share of the area may be a symbol in a cell. */
const noticeable = 0.03
/** Steps of a scale are equal, except for the rounding of the printed numbers. */
const sameStep = 0.01

export function isChart(
  table: FoundTable,
  textRuns: readonly TextRun[],
  pictures: readonly Picture[],
): boolean {
  const drawn = pictures.reduce((sum, p) => {
    const common = intersection(p.box, table.box)
    return sum + (common ? area(common) : 0)
  }, 0)
  const filled = table.cells.filter((c) => c.textRuns.length > 0).length
  const isSparse = filled < majority * table.cells.length
  if (!isSparse && drawn <= noticeable * area(table.box)) return false
  return hasScale(
    textRuns.filter((p) => contains(grow(table.box, farthestRow * p.size), centreX(p.box), centreY(p.box))),
  )
}

interface Mark {
  value: number
  at: number
}

/** Numbers that decrease down an edge, or increase along the lowest line. */
function hasScale(textRuns: readonly TextRun[]): boolean {
  const marks = textRuns.filter((p) => Number.isFinite(numberIn(p)))
  const ends = clusterPositions(
    marks.map((p) => p.box.x1),
    samePosition,
  )
  const last = rowsOf(textRuns).at(-1)?.textRuns ?? []
  return (
    ends.some((x) =>
      isScale(
        marks
          .filter((p) => Math.abs(p.box.x1 - x) <= samePosition)
          .map((p) => ({ value: numberIn(p), at: -p.baseline })),
      ),
    ) || isScale(last.map((p) => ({ value: numberIn(p), at: centreX(p.box) })))
  )
}

const numberIn = ({ text }: TextRun): number => Number(text.replace(/[,%\s]/g, '') || Number.NaN)

function isScale(marks: readonly Mark[]): boolean {
  const sorted = marks.toSorted((a, b) => a.at - b.at)
  let length = 1
  for (let i = 1; i < sorted.length; i++) {
    const [value, distance] = stepTo(sorted, i)
    const [before, pace] = i > 1 ? stepTo(sorted, i - 1) : [value, distance]
    const isEven = Math.abs(value - before) <= sameStep * before && Math.abs(distance - pace) <= meeting
    length = value > 0 ? (isEven ? length + 1 : 2) : 1
    if (length >= surePattern) return true
  }
  return false
}

function stepTo(marks: readonly Mark[], i: number): [number, number] {
  const [a, b] = [marks[i - 1] as Mark, marks[i] as Mark]
  return [b.value - a.value, b.at - a.at]
}
