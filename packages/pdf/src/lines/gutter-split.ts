import type { Piece } from './line.ts'
import { splitPiece } from './split-piece.ts'

// Where columns stand close together, a line of one may run into the next. Places where many pieces
// start show the edge; pieces across it are cut there when a word starts right on it.

const near = 1.6
const leastGap = 4.5

export function splitAtEdges(pieces: readonly Piece[]): Piece[] {
  const edges = commonStarts(pieces)
  if (edges.length === 0) return [...pieces]
  return pieces.flatMap((piece) => {
    if (piece.words.length < 2) return [piece]
    const cuts = piece.words.flatMap((word, i) => {
      const before = piece.words[i - 1]
      if (!before || word.box.x0 - before.box.x1 < Math.max(leastGap, 0.55 * piece.size)) return []
      return edges.some((e) => Math.abs(e - word.box.x0) <= near) ? [word.box.x0 - 0.5] : []
    })
    if (cuts.length === 0) return [piece]
    return splitPiece(piece, (x) => cuts.filter((c) => x > c).length)
  })
}

function commonStarts(pieces: readonly Piece[]): number[] {
  // The edge of a column shows in lines that have a neighbour close to the left.
  const rows = new Map<number, Piece[]>()
  for (const p of pieces) {
    const key = Math.round(p.baseline)
    const row = rows.get(key)
    if (row) row.push(p)
    else rows.set(key, [p])
  }
  // Columns need not share a grid: a neighbour within a line's height counts.
  const follows = (p: Piece): boolean => {
    const reach = Math.round(0.9 * p.size)
    for (let d = -reach; d <= reach; d++)
      if (
        rows.get(Math.round(p.baseline) + d)?.some((o) => p.box.x0 - o.box.x1 > 3 && p.box.x0 - o.box.x1 < 45)
      )
        return true
    return false
  }
  const starts = pieces
    .filter(follows)
    .map((p) => p.box.x0)
    .sort((a, b) => a - b)
  const least = Math.max(6, 0.05 * pieces.length)
  const out: number[] = []
  for (let i = 0; i < starts.length; ) {
    let j = i
    while (j < starts.length && (starts[j] as number) - (starts[i] as number) <= 2 * near) j++
    if (j - i >= least) {
      out.push(starts[(i + j) >> 1] as number)
      i = j
    } else i++
  }
  return out
}
