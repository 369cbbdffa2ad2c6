import { elementAt } from '../element-at.ts'
import { rounding } from '../tolerances.ts'
import type { Paragraph } from './block.ts'
import { isRunningText } from './body-look.ts'
import { readNumber } from './numbers.ts'

// Which level a heading has, from the looks of all of them.

/** Word and HTML know six levels. */
export const deepestLevel = 6
/** What a look weighs: the size above all, bold as much as a third of a point, italics and the middle of the page less. */
const weightOfPoint = 10
const weightOfBold = 3
const weightOfItalics = -1
const weightOfCentre = 0.5
/** Looks that weigh about the same are of one level: a fifth of a point is rounding. */
const sameLevel = 2
/** A title is larger than the text by a quarter, and has one line or two. */
const minTitle = 1.25
const maxTitleLines = 2

/** Levels by look: bigger before smaller, then the order of appearance; numbering overrules. */
export function rank(found: readonly Paragraph[], all: readonly Paragraph[], bodySize: number): void {
  const looks = new Map<string, Look>()
  const marked = all.filter((p) => p.heading !== undefined)
  for (const p of found) {
    const numbers = /^\s*(\d{1,3}(?:\.\d{1,3})*)\.?\s/.exec(p.label ? `${p.label} ` : p.text)
    const depth = numbers ? elementAt(numbers, 1).split('.').length : 0
    const key = `${Math.round(p.size * 2)}/${p.bold}/${isItalic(p)}/${depth > 0 ? depth : (readNumber(p.label)[0]?.format ?? '')}`
    const entry = looks.get(key)
    if (entry) entry.items.push(p)
    else
      looks.set(key, {
        size: p.size,
        bold: p.bold,
        weight: weightOf(p),
        depth,
        items: [p],
      })
  }
  const ordered = [...looks.values()].sort((a, b) => b.weight - a.weight || a.depth - b.depth)
  takeTitle(ordered, all, bodySize)
  let level = 0
  let last = { weight: Infinity, depth: 0 }
  for (const look of ordered) {
    // Where sections and their parts look alike, their numbers show the level, unless other sections look larger.
    const isPart =
      last.depth > 0 &&
      look.depth > last.depth &&
      !ordered.some((l) => l.depth === last.depth && l.weight > look.weight + sameLevel)
    if (look.weight < last.weight - sameLevel || isPart) {
      level = Math.max(level + 1, levelBelow(marked, look.weight))
      last = look
    } else last = { weight: last.weight, depth: look.depth }
    for (const p of look.items) p.heading = Math.max(1, Math.min(deepestLevel, level))
  }
  for (const p of found) if (p.heading !== undefined && p.list) p.list = undefined
}

/** Headings that the PDF names have a level already: what weighs less lies below them. */
function levelBelow(marked: readonly Paragraph[], weight: number): number {
  const heavier = marked.filter((p) => weightOf(p) > weight + sameLevel).map((p) => p.heading ?? 0)
  return heavier.length === 0 ? 1 : Math.max(...heavier) + 1
}

const isItalic = (p: Paragraph): boolean => p.runs.every((r) => r.style.italic || !r.text.trim())

const weightOf = (p: Paragraph): number =>
  p.size * weightOfPoint +
  (p.bold ? weightOfBold : 0) +
  (isItalic(p) ? weightOfItalics : 0) +
  (p.align === 'center' ? weightOfCentre : 0)

interface Look {
  size: number
  bold: boolean
  weight: number
  depth: number
  items: Paragraph[]
}

/**
 * One or two big lines at the top of the first page, before the headings whose looks come again, are the title; their
 * looks leave the list.
 */
function takeTitle(ordered: Look[], all: readonly Paragraph[], bodySize: number): void {
  const items = linesOfTitle(ordered, all)
  const looks = ordered.filter((l) => items.includes(elementAt(l.items, 0)))
  const isAlone = looks.length === ordered.length && all.every((p) => p.heading === undefined)
  const [first] = items
  if (!first || first.size < minTitle * bodySize || isAlone) return
  // Between its lines stand names and dates, no running text.
  if (all.slice(all.indexOf(first), all.indexOf(elementAt(items, -1))).some(isRunningText)) return
  for (const p of items) p.heading = 0
  const rest = ordered.filter((l) => !looks.includes(l))
  ordered.splice(0, ordered.length, ...rest)
}

/** The biggest of the headings that come before all others. */
function linesOfTitle(ordered: readonly Look[], all: readonly Paragraph[]): Paragraph[] {
  const looks = new Map(ordered.flatMap((look) => look.items.map((p) => [p, look])))
  const early: Paragraph[] = []
  for (const p of all) {
    const look = looks.get(p)
    if (p.page > 0 || p.heading !== undefined || (look && look.items.length > maxTitleLines)) break
    if (look) early.push(p)
  }
  const biggest = Math.max(0, ...early.map((p) => p.size))
  const items = early.filter((p) => Math.abs(p.size - biggest) < rounding)
  return items.every((p) => looks.get(p)?.items.every((o) => items.includes(o))) ? items : []
}
