import { columnGap, samePosition, several } from '../tolerances.ts'
import type { TextRun } from './line.ts'
import { splitBefore } from './split-text-run.ts'

// If columns are close together, a line of one may run into the next. Positions where many text runs start show the
// edge of a column; a text run across it is split there if a word starts exactly at the edge.

/** A neighbour with another baseline still counts as adjacent within this distance, in ems and at most in points. */
const beside = 0.9
const maxBeside = 60
/** A closer neighbour is the next word, a farther one another part of the page; in points. */
const minDistance = 3
const maxDistance = 45
/** A column has several lines; on a full page, at least this share of all lines. */
const minShareOfStarts = 0.05

export function splitAtEdges(textRuns: readonly TextRun[]): TextRun[] {
  const edges = commonStarts(textRuns)
  if (edges.length === 0) return [...textRuns]
  return textRuns.flatMap((textRun) =>
    splitBefore(
      textRun,
      ({ box }, before) =>
        box.x0 - before.box.x1 >= columnGap * textRun.size &&
        edges.some((e) => Math.abs(e - box.x0) <= samePosition),
    ),
  )
}

function commonStarts(textRuns: readonly TextRun[]): number[] {
  // The edge of a column is visible in lines that have a close neighbour on the left.
  const rows = Map.groupBy(textRuns, (p) => Math.round(p.baseline))
  // Columns need not share a baseline grid: a neighbour within a line height counts.
  const follows = (p: TextRun): boolean => {
    const reach = Math.round(Math.min(maxBeside, beside * p.size))
    for (let d = -reach; d <= reach; d++)
      if (
        rows
          .get(Math.round(p.baseline) + d)
          ?.some((o) => p.box.x0 - o.box.x1 > minDistance && p.box.x0 - o.box.x1 < maxDistance)
      )
        return true
    return false
  }
  const starts = textRuns
    .filter(follows)
    .map((p) => p.box.x0)
    .sort((a, b) => a - b)
  const minStarts = Math.max(several, minShareOfStarts * textRuns.length)
  const out: number[] = []
  for (let i = 0; i < starts.length; ) {
    let j = i
    while (j < starts.length && (starts[j] as number) - (starts[i] as number) <= 2 * samePosition) j++
    if (j - i >= minStarts) {
      out.push(starts[(i + j) >> 1] as number)
      i = j
    } else i++
  }
  return out
}
