import { elementAt } from '../element-at.ts'
import type { Word } from '../lines/line.ts'
import { nearlyAll } from '../tolerances.ts'
import { usualSize } from '../typography.ts'
import { type Block, opened, type Paragraph, paragraphsOf, type Run, textOf } from './block.ts'
import type { MergedLine } from './line-text.ts'

// Code: paragraphs set in a monospaced font keep their lines and their indents.

/** Characters that programs and their messages begin lines with. Word processors set bullets in a different font. */
const typedSign = /^[-*oO]$/

/** In a document in a monospaced font nothing is code. Otherwise a dash or a star before code is not a bullet. */
export function findFixed(blocks: Block[]): Block[] {
  const all = [...paragraphsOf(blocks)]
  const length = (runs: readonly Run[]): number => runs.reduce((sum, r) => sum + r.text.length, 0)
  const fixed = all.reduce((sum, p) => sum + length(p.runs.filter((r) => r.style.font.mono)), 0)
  const isRare = fixed <= nearlyAll * all.reduce((sum, p) => sum + length(p.runs), 0)
  for (const p of all) {
    if (!isRare) p.code = undefined
    else if (p.code && typedSign.test(p.label)) p.label = ''
  }
  return blocks
}

/** Keeps `code` only on paragraphs that are code. */
export function findCode(blocks: Block[]): Block[] {
  const free = new Set(opened(blocks))
  for (const p of paragraphsOf(blocks)) {
    const isText = p.heading !== undefined || p.list || p.align === 'center' || p.hidden
    // A single line in a cell is a name, not a listing.
    const isLine = p.lines === 1 && !free.has(p)
    if (isText || isLine) p.code = undefined
    else if (p.code && p.lines > 1) keepLines(p)
  }
  return blocks
}

function keepLines(p: Paragraph): void {
  const lines = p.code ?? []
  const minColumn = Math.min(...lines.map((l) => l.column))
  const out: Run[] = []
  for (const [i, line] of lines.entries()) {
    const [first, ...rest] = line.runs
    if (!first) continue
    out.push(
      { ...first, text: `${i > 0 ? '\n' : ''}${' '.repeat(line.column - minColumn)}${first.text}` },
      ...rest,
    )
  }
  p.runs = out
  p.text = textOf(out)
  p.align = 'left'
  p.left = Math.max(0, Math.min(p.left, p.left + p.first))
  p.first = 0
  p.tabs = []
}

// Lines in a monospaced font: every character has a column, so the width of a gap gives the number of spaces.

export interface CodeLine {
  /** Characters between the left edge of the column and the line. */
  column: number
  runs: Run[]
}

/** Advance width of a typical monospaced font, in ems; for lines without words. */
const usualAdvance = 0.6
/** Advances that monospaced fonts have, in ems: TeX's is 0.525, and narrow ones go down to 0.5. */
const minAdvance = 0.45
const maxAdvance = 0.7
/** Advance widths are rounded to this step, in ems, so that all paragraphs of a listing have the same. */
const step = 0.025

const lengthOf = (text: string): number => [...text].length

/** The advance width of the font, in points. */
function advanceOf(lines: readonly MergedLine[]): number {
  const size = lines[0]?.size ?? usualSize
  const words = lines.flatMap((l) => l.textRuns.flatMap((p) => p.words))
  const longest = words.reduce<Word | undefined>(
    (best, word) => (best && best.text.length >= word.text.length ? best : word),
    undefined,
  )
  if (!longest) return usualAdvance * size
  const { box, text } = longest
  const advance = Math.round((box.x1 - box.x0) / lengthOf(text) / size / step) * step
  return (advance >= minAdvance && advance <= maxAdvance ? advance : usualAdvance) * size
}

/** Maximum indent and gap of code: a file may claim a tiny font size, which would give any number of spaces. */
const maxColumns = 200

const columns = (distance: number, advance: number): number =>
  Math.min(maxColumns, Math.max(0, Math.round(distance / advance)))

/** The lines with their columns, if all of them are set in a monospaced font. */
export function fixedLines(lines: readonly MergedLine[], left: number): CodeLine[] | undefined {
  const runs = lines.flatMap((l) => l.runs).filter((r) => r.text.trim() !== '')
  if (runs.length === 0 || !runs.every((r) => r.style.font.mono)) return undefined
  const advance = advanceOf(lines)
  return lines.map((line) => ({
    column: columns(line.box.x0 - left, advance),
    runs: withGaps(line, advance),
  }))
}

/** The runs with as many spaces between words as the gaps have room for. */
function withGaps({ runs, textRuns, rtl }: MergedLine, advance: number): Run[] {
  const words = textRuns.flatMap((p) => p.words)
  const gaps = words.slice(1).map(({ box }, i) => box.x0 - elementAt(words, i).box.x1)
  const spaces = runs
    .map((r) => r.text)
    .join('')
    .trim()
    .match(/\s+/g)
  // Formulas and right-to-left text have word boundaries other than spaces.
  if (rtl || (spaces?.length ?? 0) !== gaps.length)
    return runs.map((r) => ({ ...r, text: r.text.replaceAll('\t', '  ') }))
  let at = 0
  let seen = ''
  return runs.map((run) => {
    const text = run.text.replace(/\s+|\S+/g, (part) => {
      const isGap = part.trim() === ''
      const follows = seen !== '' && seen.trim() === ''
      const before = seen
      seen = part
      if (!isGap) return part
      // A gap at the end of a run continues in the next run.
      if (before === '' || follows) return ''
      return ' '.repeat(Math.max(1, columns(gaps[at++] ?? 0, advance)))
    })
    return { ...run, text }
  })
}
