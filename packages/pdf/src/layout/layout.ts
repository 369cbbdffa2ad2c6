import { type Box, firstFrom, union } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { isSameLine } from '../lines/line-rows.ts'
import { asInRtlLine, runsFromRight } from '../lines/rtl-lines.ts'
import type { Picture, Rule } from '../read/page.ts'
import type { FoundTable } from '../tables/table.ts'
import { clearMajority } from '../tolerances.ts'
import { middleOfLetters, usualSize } from '../typography.ts'
import { findGutter, type Gutter } from './gutters.ts'
import { type Content, type Loose, looseOf } from './rows.ts'
import { findSideBlocks } from './side-blocks.ts'

// Columns and reading order. A gutter splits the items beside it into columns; items that cross it (titles, wide
// tables) are above or below. The result is a list of bands from top to bottom, each with its columns from left to
// right.

/** Maximum depth of nested columns: no page has more, and each level takes time. */
const deepest = 6
/** A title is larger than a note by half, and the note is at least this distance away, in ems. */
const largerByHalf = 1.5
const farFromTitle = 3

export interface TextLine {
  kind: 'line'
  box: Box
  baseline: number
  textRuns: TextRun[]
}

export interface TableItem {
  kind: 'table'
  box: Box
  table: FoundTable
}

export interface PictureItem {
  kind: 'picture'
  box: Box
  picture: Picture
}

export type Item = TextLine | TableItem | PictureItem

export interface Column {
  box: Box
  items: Item[]
}

export interface Band {
  box: Box
  columns: Column[]
}

/** Horizontal rules separate the content above from the content below. */
export function layOut(content: Content, rules: readonly Rule[] = [], rightToLeft = false): Band[] {
  const loose = looseOf(content)
  if (loose.length === 0) return []
  const box = union(loose.map((l) => l.box))
  const barriers = rules
    .filter((r) => r.horizontal && !r.weak && r.to - r.from > clearMajority * (box.x1 - box.x0))
    .map((r) => r.at)
  return segment(loose, barriers, 0, rightToLeft)
}

function segment(
  items: readonly Loose[],
  barriers: readonly number[],
  depth: number,
  rightToLeft: boolean,
): Band[] {
  if (items.length === 0) return []
  const prose = depth < deepest ? findGutter(items, barriers) : undefined
  const gutter = prose ?? (depth < deepest ? findSideBlocks(items) : undefined)
  if (!gutter) return [oneColumn(items)]
  const above = items.filter((i) => (i.box.y0 + i.box.y1) / 2 < gutter.y0)
  const below = items.filter((i) => (i.box.y0 + i.box.y1) / 2 > gutter.y1)
  const outside = new Set([...above, ...below])
  const middle = items.filter((i) => !outside.has(i))
  const at = (gutter.x0 + gutter.x1) / 2
  const left = middle.filter((i) => (i.box.x0 + i.box.x1) / 2 < at)
  const right = middle.filter((i) => (i.box.x0 + i.box.x1) / 2 >= at)
  if (left.length === 0 || right.length === 0) return [oneColumn(items)]
  const sides = [left, right].map((side) => {
    const bands = segment(side, barriers, depth + 1, rightToLeft)
    const only = bands[0]
    // Columns of equal height side by side are columns of this band; anything else is read as one column.
    if (bands.length === 1 && only) return only.columns
    return [
      { box: union(side.map((i) => i.box)), items: bands.flatMap((b) => b.columns.flatMap((c) => c.items)) },
    ]
  })
  // Lines of a block end where the author ended them: the column is wider than its lines.
  if (!prose) widen(sides, gutter, union(items.map((i) => i.box)).x1)
  if (rightToLeft) sides.reverse()
  return [
    ...segment(above, barriers, depth + 1, rightToLeft),
    { box: union(middle.map((i) => i.box)), columns: sides.flat() },
    ...segment(below, barriers, depth + 1, rightToLeft),
  ]
}

/** Widens the columns to the space available, except for the distance between them. */
function widen(sides: readonly Column[][], gutter: Gutter, right: number): void {
  const [left, other] = sides.map((columns) => columns.at(-1))
  if (left) left.box = { ...left.box, x1: Math.max(left.box.x1, gutter.x1 - betweenColumns) }
  if (other) other.box = { ...other.box, x1: Math.max(other.box.x1, right) }
}

/** In points. */
const betweenColumns = 12

function oneColumn(items: readonly Loose[]): Band {
  const box = union(items.map((i) => i.box))
  return { box, columns: [{ box, items: inOrder(items) }] }
}

/** A title and a small note at the other side of the page are separate, even on one line. */
function standApart(a: TextRun, b: TextRun): boolean {
  const gap = Math.max(a.box.x0 - b.box.x1, b.box.x0 - a.box.x1)
  const big = Math.max(a.size, b.size)
  return big > largerByHalf * Math.min(a.size, b.size) && gap > farFromTitle * big
}

/** Maximum difference of baselines within a line, in points. */
const maxUneven = 6

/** Merges text runs on one baseline into lines; lines, tables and pictures are read from top to bottom. */
export function inOrder(items: readonly Loose[]): Item[] {
  const textRuns = items
    .flatMap((i) => (i.textRun ? [i.textRun] : []))
    .sort((a, b) => a.baseline - b.baseline)
  const lines: TextLine[] = []
  const baselines: number[] = []
  for (const textRun of textRuns) {
    const above = firstFrom(baselines, textRun.baseline - maxUneven)
    const host = lines
      .slice(above)
      .findLast(
        (l) =>
          isSameLine({ baseline: l.baseline, size: l.textRuns[0]?.size ?? usualSize }, textRun) &&
          l.textRuns.every((p) => p.box.x1 <= textRun.box.x0 + 1 || textRun.box.x1 <= p.box.x0 + 1) &&
          !l.textRuns.some((p) => standApart(p, textRun)),
      )
    if (host) {
      host.textRuns.push(textRun)
      host.box = union([host.box, textRun.box])
    } else {
      lines.push({ kind: 'line', box: textRun.box, baseline: textRun.baseline, textRuns: [textRun] })
      baselines.push(textRun.baseline)
    }
  }
  for (const line of lines)
    if (runsFromRight(line.textRuns))
      line.textRuns = line.textRuns.map(asInRtlLine).sort((a, b) => b.box.x0 - a.box.x0)
    else line.textRuns.sort((a, b) => a.box.x0 - b.box.x0)
  const rest: Item[] = items.flatMap((i): Item[] => {
    if (i.table) return [{ kind: 'table', box: i.box, table: i.table }]
    if (i.picture) return [{ kind: 'picture', box: i.box, picture: i.picture }]
    return []
  })
  const position = (item: Item): number =>
    item.kind === 'line' ? item.baseline - middleOfLetters * (item.textRuns[0]?.size ?? 0) : item.box.y0
  return [...lines, ...rest].sort((a, b) => position(a) - position(b))
}
