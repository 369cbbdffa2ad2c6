import { elementAt } from '../element-at.ts'
import type { Word } from '../lines/line.ts'
import { usualSize } from '../typography.ts'
import type { Run } from './block.ts'
import type { MergedLine } from './line-text.ts'

// Lines of a monospaced font: every character stands in a column, so gaps show how many spaces were typed.

export interface CodeLine {
  /** Characters between the left edge of the column and the line. */
  column: number
  runs: Run[]
}

/** Of a usual fixed-width font, in ems; for lines without words. */
const usualAdvance = 0.6
/** Advances that monospaced fonts have, in ems: TeX's is 0.525, and narrow ones go down to 0.5. */
const minAdvance = 0.45
const maxAdvance = 0.7
/** Advances lie on such steps, in ems; rounded to them, the paragraphs of one listing have the same. */
const step = 0.025

const lengthOf = (text: string): number => [...text].length

/** How far one character is from the next, in points. */
function advanceOf(lines: readonly MergedLine[]): number {
  const size = lines[0]?.size ?? usualSize
  const words = lines.flatMap((l) => l.textRuns.flatMap((p) => p.words))
  const longest = words.reduce<Word | undefined>(
    (most, word) => (most && most.text.length >= word.text.length ? most : word),
    undefined,
  )
  if (!longest) return usualAdvance * size
  const { box, text } = longest
  const advance = Math.round((box.x1 - box.x0) / lengthOf(text) / size / step) * step
  return (advance >= minAdvance && advance <= maxAdvance ? advance : usualAdvance) * size
}

/** Code is not indented by more, nor has it wider gaps; letters that a file claims to be tiny would have. */
const maxColumns = 200

const columns = (distance: number, advance: number): number =>
  Math.min(maxColumns, Math.max(0, Math.round(distance / advance)))

/** The lines as they stood, where all of them are set in a monospaced font. */
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
  // Formulas and text from right to left have other words than spaces show.
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
      // A gap that a run ended with goes on in the next one.
      if (before === '' || follows) return ''
      return ' '.repeat(Math.max(1, columns(gaps[at++] ?? 0, advance)))
    })
    return { ...run, text }
  })
}
