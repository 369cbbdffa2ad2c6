import { area, centreX, centreY, contains, grow, intersection } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { type LineRow, rowsOf } from '../lines/line-rows.ts'
import type { Picture } from '../read/page.ts'
import { farthestRow, majority, meeting, minPattern, samePosition, surePattern } from '../tolerances.ts'
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

/** Maximum page number of the first entry of a table of contents. */
const latestStart = 20

const pageOf = ({ textRuns }: LineRow): number =>
  Number(/^(?:\p{L}{1,6}\.? )?(\d{1,3})$/u.exec(textRuns.at(-1)?.text.trim() ?? '')?.[1] ?? Number.NaN)

/**
 * The number of rows of a table of contents at the start of `rows`: titles, possibly with section numbers, and
 * non-decreasing page numbers. Text may follow it only after dot leaders: a table may begin with increasing numbers.
 */
export function countContents(rows: readonly LineRow[]): number {
  let [count, page] = [0, 1]
  const entries: LineRow[] = []
  for (const [i, row] of rows.entries()) {
    if (row.textRuns.length < 2) continue
    const next = pageOf(row)
    if (!(next >= page) || !hasTitle(row)) break
    page = next
    count = i + 1
    entries.push(row)
  }
  const pages = entries.map(pageOf)
  const isSure =
    entries.length >= surePattern && new Set(pages).size >= minPattern && (pages[0] ?? 0) <= latestStart
  const isAll = rows.slice(count).every(({ textRuns }) => textRuns.length < 2)
  if (!isSure || !(isAll || entries.filter(hasLeader).length >= minPattern)) return 0
  return isAll ? rows.length : count
}

/** Rules may lead to the page numbers. */
export function isContents(table: FoundTable): boolean {
  const rows = rowsOf(table.cells.flatMap((c) => c.textRuns))
  return countContents(rows) === rows.length
}

const hasTitle = ({ textRuns: [first, second, third] }: LineRow): boolean =>
  third ? /^[\dA-Z.]+$/.test(first?.text.trim() ?? '') && hasWord(second?.text) : hasWord(first?.text)

const hasWord = (text = ''): boolean => /\p{L}{2}/u.test(text)
const hasLeader = ({ textRuns }: LineRow): boolean => textRuns.some((p) => /(?:[.·_…] ?){4,}/.test(p.text))
