import { elementAt } from '../element-at.ts'
import { type Box, median, union, width } from '../geometry.ts'
import { middleOfLetters } from '../typography.ts'
import { inStep } from './in-step.ts'
import type { Loose } from './layout.ts'

// A gutter is a strip that no text crosses, with running text on both sides of it. Short texts in
// step with each other are a table or a form, not columns.

export interface Gutter {
  x0: number
  x1: number
  y0: number
  y1: number
  rows: number
}

interface Row {
  y0: number
  y1: number
  items: Loose[]
}

/** The narrowest space that is set between columns, in points. */
const narrowest = 7.5
/** Lines of two columns need not be in step: those of one row have their middles within half of the usual pitch, in ems. */
const sameRow = 0.65
/** In rows: fewer are no columns. */
const fewestRows = 3
/** Side bearings and rounding, in points. */
const slack = 0.5
/** A line of running text takes more than half of its column, */
const fullLine = 0.6
/** and nearly half of its lines do; paragraphs end in short ones. */
const fullShare = 0.45
/** In lines: fewer are a caption or an address. */
const fewestLines = 3
const fewestOfColumn = 4
/** A sidebar has some lines, and the text beside it more. */
const fewestOfSidebar = 4
const fewestBeside = 6
/** Values that are painted after their labels are all in step with them. */
const mostInStepApart = 0.8
/** Columns without running text, in lines: fewer are an address or a form. */
const fewestApart = 10
/** Less than half of a sidebar's lines stand on baselines of the text: it has a grid of its own. */
const mostInStep = 0.5
/** Half: the middle of a strip or of a row, most of a column's lines. */
const half = 0.5
/** In characters: what a line of a script without spaces has at least. */
const denseLength = 8
/** A heading over both columns is larger than the text by a fifth. */
const headingSize = 1.2
/** In points: a table of a few rows; and lines beside it. */
const tallTable = 60
const fewestBesideTall = 4

/** What shares a height, top to bottom. */
function rowsOf(items: readonly Loose[]): Row[] {
  const sorted = [...items].sort((a, b) => middle(a) - middle(b))
  const rows: Row[] = []
  for (const item of sorted) {
    const last = rows.at(-1)
    const tall = item.textRun ? item.textRun.size : item.box.y1 - item.box.y0
    if (
      last &&
      item.textRun &&
      last.items.every((i) => i.textRun) &&
      middle(item) - middle(elementAt(last.items, 0)) < sameRow * tall
    ) {
      last.items.push(item)
      last.y0 = Math.min(last.y0, item.box.y0)
      last.y1 = Math.max(last.y1, item.box.y1)
    } else rows.push({ y0: item.box.y0, y1: item.box.y1, items: [item] })
  }
  return rows
}

const middle = (i: Loose): number =>
  i.textRun ? i.textRun.baseline - middleOfLetters * i.textRun.size : (i.box.y0 + i.box.y1) / 2

export function findGutter(items: readonly Loose[], barriers: readonly number[] = []): Gutter | undefined {
  const rows = rowsOf(items)
  if (rows.length < fewestRows) return undefined
  const tried: { x0: number; x1: number; first: number; last: number }[] = []
  let best: Gutter | undefined
  for (const [r, row] of rows.entries()) {
    const sorted = [...row.items].sort((a, b) => a.box.x0 - b.box.x0)
    for (let i = 1; i < sorted.length; i++) {
      const gap = { x0: elementAt(sorted, i - 1).box.x1, x1: elementAt(sorted, i).box.x0 }
      if (gap.x1 - gap.x0 < narrowest) continue
      if (tried.some((t) => r >= t.first && r <= t.last && t.x0 >= gap.x0 - 1 && t.x1 <= gap.x1 + 1)) continue
      const found = extend(rows, r, gap, items, barriers)
      tried.push(found)
      const gutter = judge(rows, found)
      if (gutter && (!best || gutter.rows > best.rows)) best = gutter
    }
  }
  return best ?? besideTall(items)
}

/** Follows the strip up and down until something crosses it. */
function extend(
  rows: readonly Row[],
  from: number,
  gap: { x0: number; x1: number },
  items: readonly Loose[],
  barriers: readonly number[],
): { x0: number; x1: number; first: number; last: number } {
  let { x0, x1 } = gap
  let first = from
  let last = from
  const narrowed = (row: Row): boolean => {
    let a = x0
    let b = x1
    for (const { box } of row.items) {
      if (box.x1 <= a || box.x0 >= b) continue
      // Text that only leans into the strip from one side makes it narrower.
      if (box.x0 < a + half * (b - a) && box.x1 > a + half * (b - a)) return false
      if (box.x1 <= a + half * (b - a)) a = box.x1
      else b = box.x0
    }
    if (b - a < narrowest) return false
    x0 = a
    x1 = b
    return true
  }
  // Tall things beside many rows cross the strip wherever they stand.
  const tall = items.filter((i) => !i.textRun)
  const blocked = (row: Row): boolean =>
    tall.some((t) => t.box.y0 < row.y1 && t.box.y1 > row.y0 && t.box.x0 < x1 - 1 && t.box.x1 > x0 + 1)
  const parted = (upper: Row, lower: Row): boolean =>
    barriers.some(
      (y) => y > upper.y0 + half * (upper.y1 - upper.y0) && y < lower.y1 - half * (lower.y1 - lower.y0),
    )
  for (let r = from + 1; r < rows.length; r++) {
    const row = elementAt(rows, r)
    if (parted(elementAt(rows, r - 1), row) || blocked(row) || !narrowed(row)) break
    last = r
  }
  for (let r = from - 1; r >= 0; r--) {
    const row = elementAt(rows, r)
    if (parted(row, elementAt(rows, r + 1)) || blocked(row) || !narrowed(row)) break
    first = r
  }
  return { x0, x1, first, last }
}

interface Side {
  textRuns: Loose[]
  prose: boolean
  lines: number
}

/** Beyond the column next to the strip there may be others, which say nothing of its lines. */
function columnBeside(items: readonly Loose[], side: 'left' | 'right'): readonly Loose[] {
  const start = ({ box }: Loose): number => (side === 'left' ? -box.x1 : box.x0)
  const end = ({ box }: Loose): number => (side === 'left' ? -box.x0 : box.x1)
  const sorted = items.toSorted((a, b) => start(a) - start(b))
  let edge = -Infinity
  const next = sorted.findIndex((item) => {
    const isApart = edge > -Infinity && start(item) - edge >= narrowest
    edge = Math.max(edge, end(item))
    return isApart
  })
  return next < fewestOfColumn ? items : sorted.slice(0, next)
}

function sideOf(items: readonly Loose[]): Side {
  const textRuns = items.filter((i) => i.textRun)
  const wide = width(union(items.map((i) => i.box)))
  const text = textRuns.filter(isText)
  const reliable = text.length >= fewestLines ? text : textRuns
  const lengths = reliable.map((p) => p.textRun?.text.length ?? 0)
  const full = reliable.filter((p) => width(p.box) > fullLine * wide).length
  return {
    textRuns,
    lines: textRuns.length,
    prose:
      (reliable.length >= fewestLines &&
        (median(lengths) >= proseLength || isDense(reliable)) &&
        full >= fullShare * reliable.length) ||
      holdsTable(textRuns, wide),
  }
}

/** Bullets and lines of code do not show how long the lines of running text are. */
const isText = ({ textRun }: Loose): boolean =>
  textRun !== undefined && !textRun.font.mono && !/^[^\p{L}\p{N}]$/u.test(textRun.text)

/** Characters of a line of running text, at least. */
const proseLength = 18
/** Lines of running text that a column with a table in it must have as well. */
const leastProse = 6

/** A column of running text with a table in it has many short texts, but most of its lines are one text each. */
function holdsTable(textRuns: readonly Loose[], wide: number): boolean {
  const rows = rowsOf(textRuns)
  const running = rows.filter(({ items: [only, ...others] }) => {
    const length = only?.textRun?.text.length ?? 0
    return (
      only !== undefined && others.length === 0 && length >= proseLength && width(only.box) > fullLine * wide
    )
  }).length
  return running >= leastProse && running >= half * rows.length
}

/** Scripts without spaces put more into fewer characters. */
function isDense(textRuns: readonly Loose[]): boolean {
  const text = textRuns.map((p) => p.textRun?.text ?? '').join('')
  return (
    /[\u3040-\u9fff\uac00-\ud7af]/.test(text) && text.length / Math.max(1, textRuns.length) >= denseLength
  )
}

function judge(
  rows: readonly Row[],
  strip: { x0: number; x1: number; first: number; last: number },
): Gutter | undefined {
  let { first, last } = strip
  const at = (strip.x0 + strip.x1) / 2
  const bothSides = (row: Row): boolean =>
    row.items.some((i) => i.box.x1 <= at) && row.items.some((i) => i.box.x0 >= at)
  const within = rows.slice(first, last + 1)
  const shared = within.filter(bothSides).length
  const all = within.flatMap((r) => r.items)
  const leftItems = all.filter((i) => i.box.x1 <= at + slack)
  const rightItems = all.filter((i) => i.box.x0 >= at - slack)
  if (leftItems.length === 0 || rightItems.length === 0) return undefined
  const left = sideOf(columnBeside(leftItems, 'left'))
  const right = sideOf(columnBeside(rightItems, 'right'))
  if (shared < fewestRows) return undefined
  const bothProse = left.prose && right.prose && left.lines >= fewestOfColumn && right.lines >= fewestOfColumn
  // A sidebar keeps its own line grid; a form or a table shares it.
  const [sparse, full] = left.prose ? [right, left] : [left, right]
  const sidebar =
    left.prose !== right.prose &&
    sparse.lines >= fewestOfSidebar &&
    full.lines >= fewestBeside &&
    inStep(sparse.textRuns, full.textRuns) < mostInStep
  if (!bothProse && !sidebar && !areApart(left, right)) return undefined
  // One-sided rows above the columns are a heading over both.
  while (
    first < last &&
    !bothSides(elementAt(rows, first)) &&
    isHeadingLike(elementAt(rows, first), elementAt(rows, first + 1))
  )
    first++
  const y0 = elementAt(rows, first).y0 - slack
  const y1 = Math.max(...rows.slice(first, last + 1).map((r) => r.y1)) + slack
  return { x0: strip.x0, x1: strip.x1, y0, y1, rows: shared }
}

/**
 * Lists, headings and code have short lines in columns too. One side is painted after the other, and the lines
 * of the two are not in step: a table is painted row by row, or its cells are in step.
 */
function areApart(left: Side, right: Side): boolean {
  if (Math.min(left.lines, right.lines) < fewestApart) return false
  if (!isBefore(left, right) && !isBefore(right, left)) return false
  const step = Math.max(inStep(left.textRuns, right.textRuns), inStep(right.textRuns, left.textRuns))
  return step < mostInStepApart
}

const isBefore = (a: Side, b: Side): boolean => {
  const first = b.textRuns.reduce((least, { textRun }) => Math.min(least, textRun?.order ?? 0), Infinity)
  return a.textRuns.every(({ textRun }) => textRun !== undefined && textRun.order < first)
}

function isHeadingLike(row: Row, next: Row): boolean {
  const textRun = row.items[0]?.textRun
  const below = next.items[0]?.textRun
  return textRun !== undefined && below !== undefined && textRun.size > headingSize * below.size
}

/** A tall picture or table beside running text, with nothing else to show the strip. */
function besideTall(items: readonly Loose[]): Gutter | undefined {
  const tall = items.filter((i) => i.table && i.box.y1 - i.box.y0 > tallTable)
  for (const t of tall) {
    const beside = items.filter((i) => i !== t && i.textRun && i.box.y0 < t.box.y1 && i.box.y1 > t.box.y0)
    if (beside.length < fewestBesideTall) continue
    const right = beside.every((i) => i.box.x0 > t.box.x1)
    const left = beside.every((i) => i.box.x1 < t.box.x0)
    if (!right && !left) continue
    const edge = right ? Math.min(...beside.map((i) => i.box.x0)) : Math.max(...beside.map((i) => i.box.x1))
    const gap = right ? edge - t.box.x1 : t.box.x0 - edge
    if (gap < narrowest) continue
    const strip = right ? { x0: t.box.x1, x1: edge } : { x0: edge, x1: t.box.x0 }
    const span: Box = {
      ...strip,
      y0: Math.min(t.box.y0, ...beside.map((b) => b.box.y0)),
      y1: Math.max(t.box.y1, ...beside.map((b) => b.box.y1)),
    }
    const crossing = items.some(
      (i) =>
        i !== t &&
        !beside.includes(i) &&
        i.box.y0 < span.y1 &&
        i.box.y1 > span.y0 &&
        i.box.x0 < strip.x1 &&
        i.box.x1 > strip.x0,
    )
    if (!crossing) return { ...span, rows: beside.length }
  }
  return undefined
}
