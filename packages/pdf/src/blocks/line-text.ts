import { elementAt } from '../element-at.ts'
import type { Box } from '../geometry.ts'
import type { TextLine } from '../layout/layout.ts'
import type { TextRun, Word } from '../lines/line.ts'
import { isCjk } from '../lines/scripts.ts'
import type { Font, Tag } from '../read/page.ts'
import {
  clearMajority,
  minPattern,
  rounding,
  samePosition,
  sizeableShare,
  widestSpace,
} from '../tolerances.ts'
import type { Run, TabStop } from './block.ts'

// Converts one line of a column to text: its text runs in order, with tabs in place of wide gaps.

export interface MergedLine {
  textRuns: readonly TextRun[]
  box: Box
  baseline: number
  size: number
  /** Font sizes of the first and the last character. */
  edgeSizes: [number, number]
  font: Font
  runs: Run[]
  text: string
  tabs: TabStop[]
  tabbed: boolean
  /** Has dot leaders before a page number. */
  leader: boolean
  rtl: boolean
  allBold: boolean
  startsLower: boolean
  firstWordWidth: number
  /** Edge of the text after the first word: the left edge, or the right one in right-to-left lines. */
  textX0: number
  /** Gap after the first word. */
  firstGap: number
  tag: Tag | undefined
  paragraphTag: Tag | undefined
}

const leaderDots = /\s*(?:\.\s?){5,}\s*|\s*…{2,}\s*|\s*(?:·\s?){5,}\s*/

export function lineText(line: TextLine, frame: Edges, justified = false): MergedLine {
  const { textRuns } = line
  const isStretched = justified && isStretchedLine(line, frame)
  const main = textRuns.reduce((a, b) => (b.text.length > a.text.length ? b : a))
  const runs: Run[] = []
  const tabs: TabStop[] = []
  let leader = false
  let previous: TextRun | undefined
  for (const textRun of textRuns) {
    if (previous) {
      const gap = gapBetween(previous, textRun)
      const atEnd = Math.abs(textRun.box.x1 - frame.x1) < samePosition && textRun === textRuns.at(-1)
      if (isStretched || gap < widestSpace * Math.min(textRun.size, previous.size)) {
        const last = runs.at(-1)
        if (last) last.text += ' '
      } else {
        tabs.push({
          at: atEnd ? frame.x1 - frame.x0 : textRun.box.x0 - frame.x0,
          align: atEnd ? 'right' : 'left',
          leader: false,
        })
        const style = previous.spans.at(-1)?.style
        if (style) runs.push({ text: '\t', style: plain(style) })
      }
    }
    for (const span of textRun.spans) runs.push({ text: span.text, style: span.style })
    previous = textRun
  }
  const whole = runs.map((r) => r.text).join('')
  if (leaderDots.test(whole) && /[.…·]\s*\S{1,8}\s*$/.test(whole)) {
    leader = true
    tabs.length = 0
    tabs.push({ at: line.box.x1 - frame.x0, align: 'right', leader: true })
    replaceLeader(runs)
  }
  const size = sizeOfCapitals(runs, main.font.mono ? (sizeOfProse(runs) ?? main.size) : main.size)
  const words = textRuns.flatMap((p) => p.words)
  const first = words[0]
  const second = words[1]
  const text = runs.map((r) => r.text).join('')
  const tag = textRuns[0]?.tag
  return {
    textRuns,
    box: line.box,
    baseline: main.baseline,
    size,
    edgeSizes: edgeSizes(runs, size),
    font: main.font,
    runs,
    text,
    tabs,
    tabbed: tabs.length > 0,
    leader,
    rtl: main.rtl,
    allBold: runs.every((r) => r.style.bold || !r.text.trim()),
    startsLower: /^[\p{Ll}]/u.test(text),
    firstWordWidth: first ? unbreakableWidth(first) : 0,
    textX0: main.rtl ? (second?.box.x1 ?? line.box.x1) : (second?.box.x0 ?? line.box.x0),
    firstGap: first && second ? gapBetween(first, second) : 0,
    tag,
    paragraphTag: paragraphOf(textRuns.find((p) => p.tag?.type !== 'Lbl')?.tag ?? tag),
  }
}

interface Edges {
  x0: number
  x1: number
}

const endsAtEdge = ({ box }: TextLine, { x1 }: Edges): boolean => Math.abs(box.x1 - x1) < samePosition

/** Whether too many lines end at the edge to be exceptions. */
export function isJustified(lines: readonly TextLine[], frame: Edges): boolean {
  const full = lines.filter((line) => endsAtEdge(line, frame)).length
  return full >= minPattern && full >= sizeableShare * lines.length
}

/** In a narrow justified column, spaces may be as wide as tabs, but all spaces of a line are equal. */
function isStretchedLine(line: TextLine, frame: Edges): boolean {
  const words = line.textRuns.flatMap((p) => p.words)
  const gaps = words.slice(1).map((word, i) => gapBetween(elementAt(words, i), word))
  const widest = Math.max(0, ...gaps)
  return (
    endsAtEdge(line, frame) &&
    widest - Math.min(...gaps) < samePosition &&
    widest < sizeableShare * (frame.x1 - frame.x0)
  )
}

/** For either order of the two. */
const gapBetween = ({ box: a }: { box: Box }, { box: b }: { box: Box }): number =>
  Math.max(b.x0 - a.x1, a.x0 - b.x1)

/** Chinese and Japanese lines can be broken after any character, except before those that may not begin a line. */
function unbreakableWidth(word: Word): number {
  const whole = word.box.x1 - word.box.x0
  const characters = [...word.text]
  if (!isCjk(characters[0] ?? '') || /[\uac00-\ud7af]/.test(characters[0] ?? '')) return whole
  return Math.min(whole, (2 * whole) / characters.length)
}

/** Inline code is often smaller than the rest of the line, and may be most of it. */
const sizeOfProse = (runs: readonly Run[]): number | undefined =>
  runs
    .filter((r) => r.text.trim() && !r.style.font.mono && !r.style.script)
    .sort((a, b) => b.text.length - a.text.length)[0]?.style.size

/** Programs make small capitals of a smaller size: the size of the text is that of its capitals. */
export function sizeOfCapitals(runs: readonly Run[], main: number): number {
  const inked = runs.filter((r) => r.text.trim() && !r.style.script)
  const largest = Math.max(0, ...inked.map((r) => r.style.size))
  if (largest <= main + rounding || main < clearMajority * largest) return main
  const [large, small] = [
    inked.filter((r) => r.style.size > main + rounding),
    inked.filter((r) => r.style.size <= main + rounding),
  ]
  const areCapitals =
    large.some((r) => /\p{Lu}/u.test(r.text)) &&
    !large.some((r) => /\p{Ll}/u.test(r.text)) &&
    !(small.some((r) => /\p{Lu}/u.test(r.text)) && small.some((r) => /\p{Ll}/u.test(r.text)))
  return areCapitals ? largest : main
}

function edgeSizes(runs: readonly Run[], size: number): [number, number] {
  const sized = runs.filter((r) => r.text.trim() && !r.style.script)
  return [sized[0]?.style.size ?? size, sized.at(-1)?.style.size ?? size]
}

const plain = ({ math: _, ...style }: Run['style']): Run['style'] => ({
  ...style,
  underline: false,
  strike: false,
  script: undefined,
  link: undefined,
})

/** Replaces dot leaders, which may span several runs, by one tab. */
function replaceLeader(runs: Run[]): void {
  for (const run of runs)
    if (/^\s*[.…·][\s.…·]*$/.test(run.text)) run.text = '\t'
    else if (leaderDots.test(run.text)) run.text = run.text.replace(leaderDots, '\t')
    else if (/[.…·]{2,}\s*$/.test(run.text)) run.text = run.text.replace(/[\s.…·]+$/, '')
    else run.text = run.text.replace(/^\s*[.…·]{2,}[\s.…·]*/, '')
  // Keeps only the last tab; gaps before it become spaces.
  const last = runs.findLastIndex((r) => r.text.includes('\t'))
  for (const [i, run] of runs.entries()) {
    const kept = i === last ? run.text.lastIndexOf('\t') : -1
    run.text = run.text.replace(/\t/g, (tab, at) => (at === kept ? tab : ' '))
  }
}

const paragraphTypes = new Set([
  'P',
  'H',
  'H1',
  'H2',
  'H3',
  'H4',
  'H5',
  'H6',
  'LI',
  'TD',
  'TH',
  'Caption',
  'Note',
  'TOCI',
  'BibEntry',
  'Title',
])

function paragraphOf(tag: Tag | undefined): Tag | undefined {
  let t = tag
  while (t && !paragraphTypes.has(t.type)) t = t.parent
  return t
}

export function isInside(tag: Tag | undefined, outer: Tag | undefined): boolean {
  for (let t = tag?.parent; t; t = t.parent) if (t === outer) return true
  return false
}
