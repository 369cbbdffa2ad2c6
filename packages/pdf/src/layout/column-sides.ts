import { median, union, width } from '../geometry.ts'
import type { TextRun } from '../lines/line.ts'
import { majority, minPattern, nearlyAll, several, sizeableShare, surePattern } from '../tolerances.ts'
import { inStep, type Loose, looseOf, type Row, rowsOf, textRunsIn } from './rows.ts'

// Analyses one side of a candidate gutter: running text or other content.

/** Minimum width of a gutter, in points. */
export const minGutterWidth = 7.5
/** A line of running text takes more than this share of its column: less than if others show the column's edge. */
const fullLine = 0.6
/** Minimum number of lines of columns without running text: fewer are an address or a form if they share baselines. */
const fewestApart = 10
/** Minimum length of a line of running text, in characters. */
const proseLength = 18

export interface Side {
  textRuns: TextRun[]
  /** Most lines take more than half of the column's width, regardless of their length. */
  full: boolean
  prose: boolean
  lines: number
}

/** Only the column next to the gutter: columns beyond it are not evidence about its lines. */
export function columnBeside(items: readonly Loose[], side: 'left' | 'right'): readonly Loose[] {
  const start = ({ box }: Loose): number => (side === 'left' ? -box.x1 : box.x0)
  const end = ({ box }: Loose): number => (side === 'left' ? -box.x0 : box.x1)
  const sorted = items.toSorted((a, b) => start(a) - start(b))
  let edge = -Infinity
  const next = sorted.findIndex((item) => {
    const isApart = edge > -Infinity && start(item) - edge >= minGutterWidth
    edge = Math.max(edge, end(item))
    return isApart
  })
  return next < surePattern ? items : sorted.slice(0, next)
}

export function sideOf(items: readonly Loose[]): Side {
  const textRuns = textRunsIn(items)
  const wide = width(union(items.map((i) => i.box)))
  const text = textRuns.filter(isText)
  const reliable = text.length >= minPattern ? text : textRuns
  const full = reliable.filter((p) => width(p.box) > fullLine * wide).length
  const rows = rowsOf(looseOf({ textRuns }))
  return {
    textRuns,
    lines: textRuns.length,
    full: rows.filter((row) => isFullRow(row, wide)).length >= majority * rows.length,
    prose:
      (reliable.length >= minPattern &&
        median(reliable.map((p) => p.text.length)) >= proseLength &&
        full >= majority * reliable.length) ||
      holdsTable(rows, wide),
  }
}

/** Word spaces may be wide in justified lines of a narrow column. */
const isFullRow = ({ items }: Row, wide: number): boolean =>
  width(union(items.map((i) => i.box))) > fullLine * wide &&
  items.reduce((sum, { textRun }) => sum + (textRun?.text.length ?? 0), 0) >= proseLength / 2

/** Bullets and lines of code do not show the usual length of lines. */
const isText = ({ font, text }: TextRun): boolean => !font.mono && !/^[^\p{L}\p{N}]$/u.test(text)

/** A column of running text that contains a table has many short texts, but most of its lines are a single text. */
function holdsTable(rows: readonly Row[], wide: number): boolean {
  const running = rows.filter(({ items: [only, ...others] }) => {
    const length = only?.textRun?.text.length ?? 0
    return (
      only !== undefined && others.length === 0 && length >= proseLength && width(only.box) > fullLine * wide
    )
  }).length
  return running >= several && running >= majority * rows.length
}

/**
 * Lists, headings and code have short lines in columns as well. Columns are painted one after the other, tables row by
 * row. If lines neither fill their column nor are items of a list, the baselines of the two sides must also differ,
 * unlike those of cells.
 */
export function areApart(left: Side, right: Side): boolean {
  if (!isBefore(left, right) && !isBefore(right, left)) return false
  if (holdsList(left) || holdsList(right)) return true
  if (left.full && right.full) return Math.min(left.lines, right.lines) >= surePattern
  const fewest = Math.min(left.lines, right.lines)
  const step = Math.max(inStep(left.textRuns, right.textRuns), inStep(right.textRuns, left.textRuns))
  return fewest >= several && step < (fewest < fewestApart ? sizeableShare : nearlyAll)
}

/** A bullet or a number at the start of a text. */
const item = /^(?:[\u2022\u25aa\u25cf\u25e6\u00b7\u25cb\u25a0]|\d{1,3}[.)](?:\s|$))/u
const holdsList = ({ textRuns }: Side): boolean =>
  textRuns.filter(({ text }) => item.test(text)).length >= minPattern

const isBefore = (a: Side, b: Side): boolean => {
  const first = b.textRuns.reduce((min, { order }) => Math.min(min, order), Infinity)
  return a.textRuns.every(({ order }) => order < first)
}
