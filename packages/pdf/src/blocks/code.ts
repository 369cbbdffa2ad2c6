import { usualSize } from '../typography.ts'
import type { Block, Paragraph, Run } from './block.ts'
import { paragraphsOf } from './block.ts'
import { copyBlocks } from './copy.ts'
import type { MergedLine } from './line-text.ts'

// Program text: paragraphs set in a font of fixed width keep their lines and their indents.

export interface CodeLine {
  /** Characters between the left edge of the column and the line. */
  column: number
  runs: Run[]
}

/** Of a usual fixed-width font, in ems; for lines that do not tell. */
const usualAdvance = 0.6
/** Advances that fonts of fixed width have, in ems: TeX's is 0.525, and narrow ones go down to 0.5. */
const leastAdvance = 0.45
const mostAdvance = 0.7
/** Advances lie on such steps, in ems; rounded to them, the paragraphs of one listing have the same. */
const step = 0.025

/** How far one character is from the next, in points. */
function advanceOf(lines: readonly MergedLine[]): number {
  const size = lines[0]?.size ?? usualSize
  const [longest] = lines
    .map(({ box, runs }) => ({ box, length: runs.reduce((sum, r) => sum + r.text.length, 0), runs }))
    .filter(({ runs }) => !runs.some((r) => r.text.includes('\t')))
    .sort((a, b) => b.length - a.length)
  if (!longest) return usualAdvance * size
  const advance = Math.round((longest.box.x1 - longest.box.x0) / longest.length / size / step) * step
  return (advance >= leastAdvance && advance <= mostAdvance ? advance : usualAdvance) * size
}

/** Program text is not indented by more; letters that a file claims to be tiny would be. */
const mostColumns = 200

/** The lines as they stood, where all of them are set in a font of fixed width. */
export function fixedLines(lines: readonly MergedLine[], left: number): CodeLine[] | undefined {
  const runs = lines.flatMap((l) => l.runs).filter((r) => r.text.trim() !== '')
  if (runs.length === 0 || !runs.every((r) => r.style.font.mono)) return undefined
  const advance = advanceOf(lines)
  return lines.map((line) => ({
    column: Math.min(mostColumns, Math.max(0, Math.round((line.box.x0 - left) / advance))),
    runs: line.runs,
  }))
}

/** Above this share of the text a font of fixed width is that of the document and tells nothing. */
const mostFixed = 0.5

/** `code` stays with the paragraphs that are code. */
export function findCode(given: readonly Block[]): Block[] {
  const blocks = copyBlocks(given)
  const all = [...paragraphsOf(blocks)]
  const free = new Set(blocks)
  const length = (runs: readonly Run[]): number => runs.reduce((sum, r) => sum + r.text.length, 0)
  const fixed = all.reduce((sum, p) => sum + length(p.runs.filter((r) => r.style.font.mono)), 0)
  const isRare = fixed <= mostFixed * all.reduce((sum, p) => sum + length(p.runs), 0)
  for (const p of all) {
    const isText = p.heading !== undefined || p.list || p.align === 'center' || p.hidden
    // A line in a cell is a name of something, not a listing.
    const isLine = p.lines === 1 && !free.has(p)
    if (!isRare || isText || isLine) p.code = undefined
    else if (p.code && p.lines > 1) keepLines(p)
  }
  return blocks
}

function keepLines(p: Paragraph): void {
  const lines = p.code ?? []
  const least = Math.min(...lines.map((l) => l.column))
  const out: Run[] = []
  for (const [i, line] of lines.entries()) {
    const [first, ...rest] = line.runs
    if (!first) continue
    out.push(
      { ...first, text: `${i > 0 ? '\n' : ''}${' '.repeat(line.column - least)}${first.text}` },
      ...rest,
    )
  }
  p.runs = out
  p.text = out.map((r) => r.text).join('')
  p.align = 'left'
  p.left = Math.max(0, Math.min(p.left, p.left + p.first))
  p.first = 0
}

/** A step of this many pitches holds a blank line; lines of listings are set evenly. */
const blankLine = 1.6

/** Neighbours that are code belong to one listing. A blank line stands where there was one. */
export function listingAt(
  blocks: readonly Block[],
  from: number,
): { text: string; count: number } | undefined {
  const parts: { p: Paragraph; lines: CodeLine[] }[] = []
  for (let i = from; i < blocks.length; i++) {
    const block = blocks[i] as Block
    if (block.kind !== 'paragraph' || !block.code || block.pictures.length > 0) break
    parts.push({ p: block, lines: block.code })
  }
  if (parts.length === 0) return undefined
  const least = Math.min(...parts.flatMap((part) => part.lines.map((l) => l.column)))
  const steps = parts.slice(1).map(({ p }, i) => p.firstBaseline - (parts[i]?.p.lastBaseline ?? 0))
  const pitch = Math.min(...parts.map(({ p }) => p.pitch ?? Infinity), ...steps.filter((step) => step > 0))
  const text = parts.map(({ p, lines }, i) => {
    const before = parts[i - 1]?.p
    const isNext = before !== undefined && before.page === p.page
    const blank = isNext && p.firstBaseline - before.lastBaseline > blankLine * pitch ? '\n' : ''
    const written = lines.map(
      (l) =>
        ' '.repeat(l.column - least) +
        l.runs
          .map((r) => r.text.replaceAll('\t', '  '))
          .join('')
          .trimEnd(),
    )
    return blank + written.join('\n')
  })
  return { text: text.join('\n'), count: parts.length }
}
