import { union } from '../geometry.ts'
import { isCjk } from '../lines/scripts.ts'
import type { Font } from '../read/page.ts'
import { usualSize } from '../typography.ts'
import type { Paragraph, Run } from './block.ts'
import { fixedLines } from './code.ts'
import { edges } from './edges.ts'
import { emptyParagraph } from './empty-paragraph.ts'
import { type BrokenWord, isHangul, learnKorean } from './korean.ts'
import { fitLines } from './line-fit.ts'
import type { MergedLine } from './line-text.ts'
import { type Frame, type ParagraphLines, typicalPitch } from './paragraphs.ts'

// Lines of a paragraph to one paragraph: text joined, hyphens mended, edges turned into indents (`edges.ts`).

/** Shorter words are parts of others too often to vouch for one. */
const shortestWord = 4
/** Lines of fewer words are no running text, whose ends tell of hyphenation. */
const leastWordsInLine = 5
/** Sizes that differ by a quarter of a point and its rounding look the same. */
const sameSize = 0.26
/** Sizes are counted to the quarter point. */
const stepsInPoint = 4
/** A space: of an empty text that stands for its first character. */
const space = 0x20

export interface Vocabulary {
  has(word: string): boolean
  /** Words are broken at line ends. Where they are not, a hyphen at a line's end is the word's own. */
  hyphenates: boolean
  /** Of Korean, whose lines may end inside a word. */
  isBroken: BrokenWord
}

const hyphenEnd = /(\p{L})[-\u2010]$/u

/** Words of the document that stand whole on one line. */
export function learnVocabulary(texts: readonly string[]): Vocabulary {
  const words = new Set<string>()
  let lines = 0
  let broken = 0
  for (const text of texts) {
    const own = text.split(/[^\p{L}\p{N}\u2010-]+/u)
    for (const word of own) if (word.length >= shortestWord) words.add(word.toLowerCase())
    if (own.length < leastWordsInLine) continue
    lines++
    if (hyphenEnd.test(text.trimEnd())) broken++
  }
  return {
    has: (word) => words.has(word),
    hyphenates: lines < fewLines || broken > leastBroken * lines,
    isBroken: learnKorean(texts),
  }
}

/** Compounds alone end fewer lines with a hyphen; a short text tells nothing. */
const leastBroken = 0.012
const fewLines = 40

/** Joins two stretches of runs the way a line end joins them. */
export function joinLines(into: Run[], next: readonly Run[], vocabulary: Vocabulary): void {
  const last = into.at(-1)
  const first = next[0]
  if (!last || !first) {
    into.push(...next.map((r) => ({ ...r })))
    return
  }
  const before = last.text
  const after = next.map((r) => r.text).join('')
  const hyphen = hyphenEnd.test(before.trimEnd()) && /^\p{Ll}/u.test(after)
  const head = /([\p{L}\p{N}-]+)[-\u2010]$/u.exec(before.trimEnd())?.[1] ?? ''
  const tail = /^[\p{L}\p{N}]+/u.exec(after)?.[0] ?? ''
  if (hyphen && !keepsHyphen(head, tail, vocabulary)) last.text = before.trimEnd().slice(0, -1)
  else if (
    hyphen ||
    (/[-\u2010/]$/.test(before.trimEnd()) &&
      /^[\p{Ll}\p{N}]/u.test(after) &&
      /[\p{L}\p{N}][-/]$/u.test(before.trimEnd()))
  )
    last.text = before.trimEnd()
  else if (
    isCjk(lastCharacter(before)) &&
    isCjk(firstCharacter(after)) &&
    !partsWords(before, after, vocabulary)
  )
    last.text = before.trimEnd()
  else last.text = `${before.trimEnd()} `
  into.push(...next.map((r) => ({ ...r })))
}

/** Whole: rare characters of Chinese are two units long. */
const firstCharacter = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? space)
const lastCharacter = (text: string): string => [...text.slice(-2)].at(-1) ?? ''

const partsWords = (before: string, after: string, { isBroken }: Vocabulary): boolean =>
  isHangul(lastCharacter(before)) && isHangul(firstCharacter(after)) && !isBroken(before, after)

function keepsHyphen(head: string, tail: string, vocabulary: Vocabulary): boolean {
  const joined = (head + tail).toLowerCase()
  const apart = `${head}-${tail}`.toLowerCase()
  if (vocabulary.has(joined)) return false
  return vocabulary.has(apart) || !vocabulary.hyphenates
}

/** Neighbours that look the same are one run. */
export function mergeRuns(runs: readonly Run[]): Run[] {
  const out: Run[] = []
  for (const run of runs) {
    if (run.text === '') continue
    const last = out.at(-1)
    if (last?.style.math && run.style.math && !/\s$/.test(last.text)) joinFormulas(last, run)
    else if (last && sameStyle(last, run)) last.text += run.text
    else out.push({ ...run })
  }
  const first = out[0]
  const last = out.at(-1)
  if (first) first.text = first.text.replace(/^ +/, '')
  if (last) last.text = last.text.replace(/ +$/, '')
  return out.filter((r) => r.text !== '')
}

/** Formulas that touch are one. */
function joinFormulas(last: Run, { text, style }: Run): void {
  const [a, b] = [last.style.math, style.math]
  if (!a || !b) return
  last.text += text
  last.style = {
    ...last.style,
    math: { tree: { kind: 'row', items: [a.tree, b.tree] }, text: a.text + b.text },
  }
}

function sameStyle(a: Run, b: Run): boolean {
  const s = a.style
  const t = b.style
  if (a.note !== undefined || b.note !== undefined) return false
  if (s.math || t.math) return false
  if (s === t) return true
  return (
    s.font.name === t.font.name &&
    Math.abs(s.size - t.size) < sameSize &&
    s.bold === t.bold &&
    s.italic === t.italic &&
    s.color === t.color &&
    s.underline === t.underline &&
    s.strike === t.strike &&
    s.script === t.script &&
    s.link?.uri === t.link?.uri &&
    s.link?.target === t.link?.target &&
    s.field === t.field &&
    s.highlight === t.highlight
  )
}

/** A word too wide for its narrow cell goes on in the next line, without a hyphen. */
function isCutWord(
  previous: MergedLine | undefined,
  line: MergedLine,
  frame: Frame,
  vocabulary: Vocabulary,
): boolean {
  if (!previous || /\s/.test(previous.text) || frame.x1 - previous.box.x1 > previous.size) return false
  const tail = /^[\p{L}\p{N}]+/u.exec(line.text)?.[0] ?? ''
  return tail !== '' && vocabulary.has((previous.text + tail).toLowerCase()) && !vocabulary.has(tail)
}

export function buildParagraph(
  found: ParagraphLines,
  frame: Frame,
  page: number,
  { vocabulary, spacing }: { vocabulary: Vocabulary; spacing: ReadonlyMap<Font, number> },
): Paragraph {
  const { lines } = found
  const runs: Run[] = []
  for (const [i, line] of lines.entries())
    if (isCutWord(lines[i - 1], line, frame, vocabulary)) runs.push(...line.runs.map((r) => ({ ...r })))
    else joinLines(runs, line.runs, vocabulary)
  const merged = mergeRuns(runs)
  const first = lines[0] as MergedLine
  const last = lines.at(-1) as MergedLine
  const rtl = lines.filter((l) => l.rtl).length * 2 > lines.length
  const { indent, ...side } = edges(lines, frame, rtl, found.label !== undefined)
  const text = merged.map((r) => r.text).join('')
  const label = found.label?.text ?? ''
  return {
    ...emptyParagraph(union(lines.map((l) => l.box)), page, undefined),
    runs: merged,
    text,
    align: side.align,
    ...fitLines(lines, frame, { ...side, text, label }, spacing),
    first: indent,
    pitch: typicalPitch(lines),
    lines: lines.length,
    size: mainSize(lines),
    font: first.font,
    bold: lines.every((l) => l.allBold),
    tabs: lines.flatMap((l) => l.tabs),
    rtl,
    label,
    textAt: first.textX0 - frame.x0,
    firstBaseline: first.baseline,
    lastBaseline: last.baseline,
    lastLine: last.box,
    tag: first.tag,
    code: fixedLines(lines, frame.x0),
  }
}

function mainSize(lines: readonly MergedLine[]): number {
  const weights = new Map<number, number>()
  for (const line of lines)
    for (const run of line.runs)
      if (!run.style.script) {
        const key = Math.round(run.style.size * stepsInPoint) / stepsInPoint
        weights.set(key, (weights.get(key) ?? 0) + run.text.length)
      }
  let best = lines[0]?.size ?? usualSize
  let most = 0
  for (const [size, weight] of weights)
    if (weight > most) {
      most = weight
      best = size
    }
  return best
}
