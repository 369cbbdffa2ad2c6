import { area, intersection } from '../geometry.ts'
import type { Picture } from '../read/page.ts'
import type { FoundTable } from './table.ts'

// The labels of a chart are aligned like the cells of a table, but there are drawings between them and a scale.

/** A drawing with a smaller share of the area may be a symbol in a cell. */
const noticeable = 0.03
/** Fewer numbers may decrease evenly by chance. */
const shortestScale = 5
/** Steps of a scale are equal, except for the rounding of the printed numbers. */
const sameStep = 0.01

export function isChart(table: FoundTable, pictures: readonly Picture[]): boolean {
  const drawn = pictures.reduce((sum, p) => {
    const common = intersection(p.box, table.box)
    return sum + (common ? area(common) : 0)
  }, 0)
  const share = drawn / Math.max(1, area(table.box))
  return share > noticeable && hasScale(table)
}

/** Numbers that decrease from line to line by the same step. */
function hasScale(table: FoundTable): boolean {
  return table.xs.slice(1).some((_, column) => {
    const numbers = table.cells
      .filter((c) => c.column === column)
      .sort((a, b) => a.row - b.row)
      .flatMap((c) => c.textRuns.map((p) => Number(p.text.replace(/[,%\s]/g, ''))))
      .filter((n) => Number.isFinite(n))
    return longestFall(numbers) >= shortestScale
  })
}

/** The length of the longest run of numbers that decrease by the same step. */
function longestFall(numbers: readonly number[]): number {
  let longest = 0
  let length = 1
  for (let i = 1; i < numbers.length; i++) {
    const step = (numbers[i - 1] as number) - (numbers[i] as number)
    const before = i > 1 ? (numbers[i - 2] as number) - (numbers[i - 1] as number) : step
    const even = Math.abs(step - before) <= sameStep * Math.abs(before)
    length = step <= 0 ? 1 : even ? length + 1 : 2
    longest = Math.max(longest, length)
  }
  return longest
}
