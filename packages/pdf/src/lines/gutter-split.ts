import { rounding, samePosition, several } from '../tolerances.ts'
import type { TextRun } from './line.ts'
import { splitTextRun } from './split-text-run.ts'

// Where columns stand close together, a line of one may run into the next. Places where many text runs
// start show the edge; text runs across it are cut there when a word starts right on it.

/** Columns keep more than a word's space between them, in points and in ems. */
const minGap = 4.5
const minGapInEms = 0.55
/** A neighbour that is not on the same baseline still stands beside it within this, in ems and at most in points. */
const beside = 0.9
const maxBeside = 60
/** Nearer is the next word, farther another part of the page; in points. */
const minDistance = 3
const maxDistance = 45
/** A column has several lines, and on a full page a share of them all. */
const minShareOfStarts = 0.05

export function splitAtEdges(textRuns: readonly TextRun[]): TextRun[] {
  const edges = commonStarts(textRuns)
  if (edges.length === 0) return [...textRuns]
  return textRuns.flatMap((textRun) => {
    if (textRun.words.length < 2) return [textRun]
    const cuts = textRun.words.flatMap((word, i) => {
      const before = textRun.words[i - 1]
      if (!before || word.box.x0 - before.box.x1 < Math.max(minGap, minGapInEms * textRun.size)) return []
      return edges.some((e) => Math.abs(e - word.box.x0) <= samePosition) ? [word.box.x0 - rounding] : []
    })
    if (cuts.length === 0) return [textRun]
    return splitTextRun(textRun, (x) => cuts.filter((c) => x > c).length)
  })
}

function commonStarts(textRuns: readonly TextRun[]): number[] {
  // The edge of a column shows in lines that have a neighbour close to the left.
  const rows = Map.groupBy(textRuns, (p) => Math.round(p.baseline))
  // Columns need not share a grid: a neighbour within a line's height counts.
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
  const least = Math.max(several, minShareOfStarts * textRuns.length)
  const out: number[] = []
  for (let i = 0; i < starts.length; ) {
    let j = i
    while (j < starts.length && (starts[j] as number) - (starts[i] as number) <= 2 * samePosition) j++
    if (j - i >= least) {
      out.push(starts[(i + j) >> 1] as number)
      i = j
    } else i++
  }
  return out
}
