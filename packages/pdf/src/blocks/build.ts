import { elementAt } from '../element-at.ts'
import { heaviest, union } from '../geometry.ts'
import type { Font } from '../read/page.ts'
import { usualSize } from '../typography.ts'
import { emptyParagraph, type Paragraph, type Run, textOf } from './block.ts'
import { fixedLines } from './code.ts'
import { edges } from './edges.ts'

import { isCutWord, joinLines } from './join-lines.ts'
import { fitLines } from './line-fit.ts'
import { typicalPitch } from './line-pitch.ts'
import { type MergedLine, sizeOfCapitals } from './line-text.ts'
import type { Frame, ParagraphLines } from './paragraphs.ts'
import type { Vocabulary } from './vocabulary.ts'

// Joins the lines of a paragraph: merges text, removes hyphenation and computes indents from the edges (`edges.ts`).

/** Sizes that differ by a quarter of a point and its rounding look the same. */
const sameSize = 0.26
/** Sizes are counted to the quarter point. */
const stepsInPoint = 4

/** Merges adjacent runs of the same look. */
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

/** Merges adjacent formulas. */
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
  const first = elementAt(lines, 0)
  const last = elementAt(lines, -1)
  const rtl = lines.filter((l) => l.rtl).length * 2 > lines.length
  const { indent, ...side } = edges(lines, frame, rtl, found.label !== undefined)
  const text = textOf(merged)
  const label = found.label?.text ?? ''
  // Without a space after it, the label is part of the first word.
  const textEdge = found.label?.gap === 0 ? (rtl ? first.box.x1 : first.box.x0) : first.textX0
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
    textAt: rtl ? frame.x1 - textEdge : textEdge - frame.x0,
    firstBaseline: first.baseline,
    lastBaseline: last.baseline,
    lastLine: last.box,
    tag: first.tag,
    code: fixedLines(lines, frame.x0),
  }
}

function mainSize(lines: readonly MergedLine[]): number {
  const runs = lines.flatMap((l) => l.runs).filter((r) => !r.style.script)
  const main = heaviest(
    runs.map((r) => [Math.round(r.style.size * stepsInPoint) / stepsInPoint, r.text.length]),
  )
  return sizeOfCapitals(runs, main ?? lines[0]?.size ?? usualSize)
}
