import { meeting, sameIndent, samePosition } from '../tolerances.ts'
import { type Block, type Paragraph, type Run, textOf, withoutStart } from './block.ts'
import { mergeRuns } from './build.ts'
import { isNext, type NumberLabel, readNumber, weakBullets } from './labels.ts'

// Converts paragraphs with labels to list items. A number counts only in a sequence: its predecessor or successor must
// exist. Nesting follows the position of the labels.

interface Place {
  /** Positions of the label and of the text after it. */
  labelAt: number
  textAt: number
}

interface OpenList extends Place {
  id: number
  /** Position of the continuation lines. */
  textEdge: number
  key: string
  next: number
  start: number
  level: number
}

/** Maximum difference in width between right-aligned labels, in points. */
const widestDifference = 25
/** How many paragraphs ahead the next number is searched: items may have several paragraphs each. */
const lookAhead = 80
/** Dashes and asterisks are bullets if another one follows within this many paragraphs. */
const soon = 12
/** Word and HTML support nine levels, counted from zero. */
export const deepestLevel = 8
/** Default indent of text after its label: a quarter of an inch, or for a single line less than an em. */
const usualIndent = 18
const indentOfLine = 0.9

export function findLists(blocks: Block[]): Block[] {
  markLists(blocks, 1)
  return blocks
}

/** Returns the first free id. */
function markLists(blocks: readonly Block[], firstId: number): number {
  let nextId = firstId
  const paragraphs = blocks.filter((b): b is Paragraph => b.kind === 'paragraph')
  for (const block of blocks)
    if (block.kind === 'table')
      for (const row of block.rows) for (const cell of row.cells) nextId = markLists(cell.blocks, nextId)
  let stack: OpenList[] = []
  const recent: OpenList[] = []
  for (const [i, p] of paragraphs.entries()) {
    if (!p.text) continue
    if (!p.label || p.heading !== undefined || p.toc !== undefined || p.align === 'center') {
      const at = p.left + Math.min(0, p.first)
      // Text at the margin closes deeper levels; their numbering may continue later.
      if (p.heading !== undefined) recent.length = 0
      stack = p.heading !== undefined ? [] : stack.filter((l) => at >= l.textEdge - sameIndent)
      continue
    }
    const place = placeOf(p)
    const { labelAt } = place
    const ahead = paragraphs.slice(i + 1, i + lookAhead)
    const reading = interpret(p, place, stack, recent, ahead)
    if (!reading) {
      stack = stack.filter((l) => labelAt >= l.textEdge - sameIndent)
      continue
    }
    stack = stack.filter(
      (l) => (isAligned(l, place) && l.key === reading.key) || l.labelAt < labelAt - sameIndent,
    )
    let list = stack.find((l) => isAligned(l, place) && l.key === reading.key && continues(l, reading))
    if (!list) {
      stack = stack.filter((l) => !isAligned(l, place))
      list = recent.findLast(
        (l) => isAligned(l, place) && l.key === reading.key && continues(l, reading) && reading.value !== 1,
      )
      if (!list) {
        list = {
          id: nextId++,
          labelAt,
          textAt: p.textAt,
          textEdge: 0,
          key: reading.key,
          next: reading.value,
          start: reading.value,
          level: Math.min(deepestLevel, stack.length),
        }
        recent.push(list)
      }
      stack.push(list)
    }
    list.next = reading.value + 1
    mark(p, list, reading, labelAt)
    list.textAt = p.textAt
    list.textEdge = p.list?.textAt ?? labelAt
  }
  leaveTyped(paragraphs)
  return nextId
}

/**
 * Typed numbers stay text: they have a plain space after them, and continuation lines begin under the number, not under
 * the text. Legal clauses are written like this.
 */
function leaveTyped(paragraphs: readonly Paragraph[]): void {
  const numbered = paragraphs.filter((p) => p.list && p.list.format !== 'bullet')
  for (const items of Map.groupBy(numbered, (p) => p.list?.id).values()) {
    const long = items.filter((p) => p.lines > 1)
    const typed = long.length > 0 && long.every((p) => !p.list?.hangs)
    if (!typed || items.some((p) => p.list?.written.includes('\t'))) continue
    for (const p of items) {
      const { written = '', style } = p.list ?? {}
      p.list = undefined
      if (style) p.runs = mergeRuns([{ text: written, style }, ...p.runs])
      p.text = textOf(p.runs)
    }
  }
}

interface Reading {
  key: string
  value: number
  number: NumberLabel | undefined
}

const continues = (list: OpenList, reading: Reading): boolean =>
  reading.number === undefined || list.next === reading.value

const placeOf = (p: Paragraph): Place => ({ labelAt: p.left + p.first, textAt: p.textAt })

/** Labels of one list begin at the same position; if they are right-aligned, the texts after them do. */
const isAligned = (a: Place, b: Place, slack = sameIndent): boolean =>
  Math.abs(a.labelAt - b.labelAt) <= slack ||
  (Math.abs(a.textAt - b.textAt) <= samePosition && Math.abs(a.labelAt - b.labelAt) <= widestDifference)

function interpret(
  p: Paragraph,
  place: Place,
  stack: readonly OpenList[],
  recent: readonly OpenList[],
  ahead: readonly Paragraph[],
): Reading | undefined {
  const readings = readNumber(p.label)
  if (readings.length === 0) {
    if (/\d/.test(p.label) || /^[（(]/.test(p.label)) return undefined
    const key = `bullet ${p.label}`
    if (weakBullets.test(p.label)) {
      const sibling =
        [...stack, ...recent].some((l) => l.key === key && isAligned(l, place)) ||
        ahead.slice(0, soon).some((o) => o.label === p.label && isAligned(placeOf(o), place))
      if (!sibling) return undefined
    }
    return { key, value: 1, number: undefined }
  }
  const keyed = readings.map((number) => ({
    key: `${number.format} ${number.prefix}|${number.suffix}`,
    value: number.value,
    number,
  }))
  const known = keyed.find((r) =>
    [...stack, ...recent].some((l) => l.key === r.key && l.next === r.value && isAligned(l, place)),
  )
  if (known) return known
  // The next number in the sequence, at the same position, before the numbering restarts.
  return keyed
    .filter((r) => r.value <= 1 || r.number.format === 'decimal')
    .toReversed()
    .find((r) =>
      ahead.some(
        (o) =>
          o.label &&
          isAligned(placeOf(o), place, sameIndent + meeting) &&
          readNumber(o.label).some((n) => isNext(r.number, n)),
      ),
    )
}

function mark(p: Paragraph, list: OpenList, reading: Reading, labelAt: number): void {
  const first = p.runs.find((r) => r.text.trim()) as Run
  const hangs = p.lines === 1 || p.left > labelAt + samePosition
  let textAt = p.lines > 1 && p.left > labelAt + samePosition ? p.left : p.textAt
  if (textAt <= labelAt + samePosition) textAt = labelAt + (p.lines > 1 ? usualIndent : indentOfLine * p.size)
  p.list = {
    id: list.id,
    level: list.level,
    format: reading.number?.format ?? 'bullet',
    pattern: reading.number
      ? `${reading.number.prefix}%${list.level + 1}${reading.number.suffix}`
      : bulletText(p.label),
    start: list.start,
    style: first.style,
    labelAt,
    textAt,
    hangs,
    written: '',
  }
  p.list.written = stripLabel(p)
}

/** Bullets of symbol fonts are meaningless in other fonts. */
function bulletText(label: string): string {
  return /[\ue000-\uf8ff]/.test(label) ? '•' : label
}

/** Removes the label and returns the removed text, with the space after it. */
function stripLabel(p: Paragraph): string {
  const before = p.text
  p.runs = withoutStart(p.runs, p.label.length)
  p.text = textOf(p.runs)
  p.tabs = p.tabs.filter((t) => Math.abs(t.at - p.textAt) > 1)
  return before.slice(0, before.length - p.text.length)
}
