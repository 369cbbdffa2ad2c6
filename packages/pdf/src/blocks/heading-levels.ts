import { elementAt } from '../element-at.ts'
import { rounding } from '../tolerances.ts'
import type { Paragraph } from './block.ts'
import { isRunningText } from './body-look.ts'
import { largeRatio } from './heading-rules.ts'
import { readNumber } from './labels.ts'

// Assigns heading levels by comparing the looks of all headings.

/** Word and HTML support six levels. */
export const deepestLevel = 6
/** Weight of a look: mostly the size; bold counts as a third of a point, italics and centring less. */
const weightOfPoint = 10
const weightOfBold = 3
const weightOfItalics = -1
const weightOfCentre = 0.5
/** Looks of about the same weight have the same level: a fifth of a point is rounding. */
const sameLevel = 2
/** Maximum number of lines of a title. */
const maxTitleLines = 2

/** Levels by look: larger first, then order of appearance; section numbers take precedence. */
export function rank(found: readonly Paragraph[], all: readonly Paragraph[], bodySize: number): void {
  const marked = all.filter((p) => p.heading !== undefined)
  const looks = [...Map.groupBy(found, lookOf).values()].map((items): Look => {
    const first = elementAt(items, 0)
    return { weight: weightOf(first), depth: depthOf(first), items }
  })
  const ordered = looks.sort((a, b) => b.weight - a.weight || a.depth - b.depth)
  takeTitle(ordered, all, bodySize)
  let level = 0
  let last = { weight: Infinity, depth: 0 }
  for (const look of ordered) {
    // If sections and subsections look alike, their numbers decide the level, unless other sections look larger.
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
}

/** Number of parts of its section number. */
const depthOf = (p: Paragraph): number =>
  /^\s*(\d{1,3}(?:\.\d{1,3})*)\.?\s/.exec(p.label ? `${p.label} ` : p.text)?.[1]?.split('.').length ?? 0

export const lookOf = (p: Paragraph): string =>
  `${Math.round(p.size * 2)}/${p.bold}/${isItalic(p)}/${depthOf(p) || (readNumber(p.label)[0]?.format ?? '')}`

/** Headings marked in the PDF already have a level: headings of lower weight get levels below them. */
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

/** Whether one looks like a heading of a higher level than the other. */
export const isHeavier = (one: Paragraph, other: Paragraph): boolean =>
  weightOf(one) > weightOf(other) + sameLevel

interface Look {
  weight: number
  depth: number
  items: Paragraph[]
}

/** One or two large lines on the first page, before headings whose looks recur, are the title and no other heading. */
function takeTitle(ordered: Look[], all: readonly Paragraph[], bodySize: number): void {
  const items = linesOfTitle(ordered, all)
  const looks = ordered.filter((l) => items.includes(elementAt(l.items, 0)))
  const isAlone = looks.length === ordered.length && all.every((p) => p.heading === undefined)
  const [first] = items
  if (!first || first.size < largeRatio * bodySize || isAlone) return
  // Only names and dates may be between the lines of a title, not running text.
  if (all.slice(all.indexOf(first), all.indexOf(elementAt(items, -1))).some(isRunningText)) return
  for (const p of items) p.heading = 0
  const rest = ordered.filter((l) => !looks.includes(l))
  ordered.splice(0, ordered.length, ...rest)
}

/** The largest of the headings that precede all others. */
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
