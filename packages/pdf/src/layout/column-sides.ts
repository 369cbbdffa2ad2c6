import { median, union, width } from '../geometry.ts'
import { majority, minPattern, nearlyAll, several, surePattern } from '../tolerances.ts'
import { inStep } from './in-step.ts'
import type { Loose } from './layout.ts'
import { rowsOf } from './rows.ts'

// What lies on one side of a strip: running text, or something else.

/** The narrowest space that is set between columns, in points. */
export const minGutterWidth = 7.5
/** A line of running text takes more than half of its column, */
const fullLine = 0.6
/** Columns without running text, in lines: fewer are an address or a form. */
const fewestApart = 10
/** Characters of a line of running text, at least. */
const proseLength = 18

export interface Side {
  textRuns: Loose[]
  prose: boolean
  lines: number
}

/** Beyond the column next to the strip there may be others, which say nothing of its lines. */
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
  const textRuns = items.filter((i) => i.textRun)
  const wide = width(union(items.map((i) => i.box)))
  const text = textRuns.filter(isText)
  const reliable = text.length >= minPattern ? text : textRuns
  const lengths = reliable.map((p) => p.textRun?.text.length ?? 0)
  const full = reliable.filter((p) => width(p.box) > fullLine * wide).length
  return {
    textRuns,
    lines: textRuns.length,
    prose:
      (reliable.length >= minPattern &&
        median(lengths) >= proseLength &&
        full >= majority * reliable.length) ||
      holdsTable(textRuns, wide),
  }
}

/** Bullets and lines of code do not show how long the lines of running text are. */
const isText = ({ textRun }: Loose): boolean =>
  textRun !== undefined && !textRun.font.mono && !/^[^\p{L}\p{N}]$/u.test(textRun.text)

/** A column of running text with a table in it has many short texts, but most of its lines are one text each. */
function holdsTable(textRuns: readonly Loose[], wide: number): boolean {
  const rows = rowsOf(textRuns)
  const running = rows.filter(({ items: [only, ...others] }) => {
    const length = only?.textRun?.text.length ?? 0
    return (
      only !== undefined && others.length === 0 && length >= proseLength && width(only.box) > fullLine * wide
    )
  }).length
  return running >= several && running >= majority * rows.length
}

/**
 * Lists, headings and code have short lines in columns too. One side is painted after the other, and the lines
 * of the two are not in step: a table is painted row by row, or its cells are in step.
 */
export function areApart(left: Side, right: Side): boolean {
  if (Math.min(left.lines, right.lines) < fewestApart) return false
  if (!isBefore(left, right) && !isBefore(right, left)) return false
  const step = Math.max(inStep(left.textRuns, right.textRuns), inStep(right.textRuns, left.textRuns))
  return step < nearlyAll
}

const isBefore = (a: Side, b: Side): boolean => {
  const first = b.textRuns.reduce((least, { textRun }) => Math.min(least, textRun?.order ?? 0), Infinity)
  return a.textRuns.every(({ textRun }) => textRun !== undefined && textRun.order < first)
}
