import type { Context } from '../blocks/assemble.ts'
import { type Block, type Paragraph, textOf } from '../blocks/block.ts'
import { mergeRuns } from '../blocks/build.ts'
import { joinLines } from '../blocks/join-lines.ts'
import { minIndent } from '../blocks/paragraphs.ts'
import { elementAt } from '../element-at.ts'
import { sizeTolerance } from '../tolerances.ts'
import type { BuiltBand } from './bands.ts'
import type { BandBlocks } from './sections.ts'

// Paragraphs continue across columns and pages: the last of a column and the first of the next are merged if the
// sentence continues.

/** The last line of a broken sentence is full: it ends within this share of the width. */
const nearlyFull = 0.12

export function joinColumns(bands: readonly BuiltBand[], context: Context): BandBlocks[] {
  const out: BandBlocks[] = []
  for (const { columns, after, ...shape } of bands) {
    const band: BandBlocks = { ...shape, blocks: [] }
    out.push(band)
    for (const [i, column] of columns.entries()) {
      const rest = joinTo(out, column, context)
      if (i === 0 && rest !== column) band.goesOn = true
      band.blocks.push(...rest)
    }
    band.blocks.push(...after)
  }
  return out
}

/** Adds the first of the next blocks to the last paragraph if it continues it; returns the remaining blocks. */
function joinTo(bands: readonly BandBlocks[], next: readonly Block[], context: Context): readonly Block[] {
  const firstAt = next.findIndex((b) => b.kind !== 'paragraph' || b.text !== '')
  const first = next[firstAt]
  // Only a picture may precede the continuation.
  if (first?.kind !== 'paragraph' || firstAt > 1) return next
  const open = lastText(bands)
  if (open?.paragraph.kind !== 'paragraph' || !goesOn(open.paragraph, first)) return next
  open.blocks[open.at] = joined(open.paragraph, first, context)
  // A column beside others is full: a little more space would move everything that follows.
  const isFull = (bands.at(-1)?.band.columns.length ?? 0) > 1
  return next.flatMap((block, i) => {
    if (i === firstAt) return []
    return i === firstAt + 1 && isFull ? [{ ...block, before: 0 }] : [block]
  })
}

function lastText(
  bands: readonly BandBlocks[],
): { blocks: Block[]; at: number; paragraph: Block } | undefined {
  for (let i = bands.length - 1; i >= 0; i--) {
    const { blocks } = elementAt(bands, i)
    const at = blocks.findLastIndex(
      (b) => b.kind !== 'paragraph' || (!b.aside && (b.text !== '' || b.pictures.length === 0)),
    )
    const paragraph = blocks[at]
    if (paragraph) return { blocks, at, paragraph }
  }
  return undefined
}

function joined(last: Paragraph, first: Paragraph, context: Context): Paragraph {
  joinLines(last.runs, first.runs, context.vocabulary)
  const runs = mergeRuns(last.runs)
  return {
    ...last,
    runs,
    text: textOf(runs),
    lines: last.lines + first.lines,
    pitch: last.pitch ?? first.pitch,
    align: last.align === 'left' && first.align === 'justify' ? 'justify' : last.align,
    lastBaseline: first.lastBaseline,
    lastLine: first.lastLine,
    pictures: [...last.pictures, ...first.pictures],
  }
}

const endsSentence = /[.!?:;…。！？：；]["'”’)\]»\d]*$/u

function goesOn(last: Paragraph, first: Paragraph): boolean {
  if (!last.text || !first.text || first.label || last.align === 'center' || first.align === 'center')
    return false
  if (last.bold !== first.bold || Math.abs(last.size - first.size) > sizeTolerance * last.size) return false
  if (last.tabs.length > 0 || first.tabs.length > 0) return false
  if (last.font.mono !== first.font.mono || last.font.mono) return false
  if (endsSentence.test(last.text)) return false
  if (/^[\p{Ll}(,]/u.test(first.text)) return true
  // A capital or a digit may continue a sentence too, if the previous line was full and nothing is indented.
  const full = last.lastLine.x1 > last.box.x1 - nearlyFull * (last.box.x1 - last.box.x0) && last.lines > 1
  return (
    full &&
    first.first < minIndent * first.size &&
    (first.lines > 1 || last.align === 'justify') &&
    !/^\p{Lu}{4}/u.test(first.text)
  )
}
