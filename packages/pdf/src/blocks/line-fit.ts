import { elementAt } from '../element-at.ts'
import { median } from '../geometry.ts'
import type { Font } from '../read/page.ts'
import { setSize, setWidth, spaceIn } from '../set-width.ts'
import { majority, minPattern, rounding, usualSpace, widestSpace } from '../tolerances.ts'
import type { Paragraph } from './block.ts'
import { fittingLetterSpacing, type SetLine } from './letter-spacing.ts'
import type { MergedLine } from './line-text.ts'
import type { Frame } from './paragraphs.ts'

// Preserves line breaks: one line more or less would move everything that follows. The page gives a minimum width (the
// longest line) and a maximum (the next word did not fit). Ragged text gets an indent between the two; justified text
// keeps its edge and gets slightly narrower or wider letter spacing.

export interface LineFit {
  left: number
  right: number
  /** Letter spacing in points. */
  spread: number
}

/** Preferred space beyond the longest line, in points. */
const comfort = 4

export function fitLines(
  lines: readonly MergedLine[],
  frame: Frame,
  paragraph: Pick<Paragraph, 'align' | 'left' | 'right' | 'text' | 'label'>,
  spacing: ReadonlyMap<Font, number>,
): LineFit {
  const { align, left, right, label } = paragraph
  const kept = { left, right, spread: 0 }
  // The gap after a label is not a tab, even if the line ends at the edge.
  if (lines.some((l) => l.rtl || l.leader)) return kept
  if (label === '' && lines.some((l) => l.tabs.some((t) => t.align === 'right'))) return kept
  const space = spaceOf(lines, align, spacing)
  const set = lines.map((l) => setLine(l, space, spacing))
  if (align === 'justify')
    return { ...kept, spread: fittingLetterSpacing(set, paragraph, space, frame.x1 - right) }
  const centred = align === 'center'
  const ends = set.map((l) => (centred ? 0 : l.x0) + l.width)
  const minEdge = Math.max(...ends) + rounding
  const next = (i: number): number => space + (lines[i + 1]?.firstWordWidth ?? Infinity)
  const maxEdge = Math.min(...ends.map((end, i) => end + next(i))) - rounding
  const now = centred ? frame.x1 - frame.x0 - left - right : frame.x1 - right
  const fits = now >= minEdge && (now <= maxEdge || maxEdge <= minEdge)
  const wanted = fits ? now : Math.max(minEdge, Math.min(minEdge + comfort, maxEdge))
  const more = now - wanted
  if (centred) return { ...kept, left: left + more / 2, right: right + more / 2 }
  if (align === 'right') return { ...kept, left: Math.max(0, left + more) }
  return { ...kept, right: right + more }
}

/** The widths of the words in the font that the Word file names. */
function setLine(line: MergedLine, space: number, spacing: ReadonlyMap<Font, number>): SetLine {
  const words: SetLine['words'] = []
  let width = 0
  let end: number | undefined
  for (const textRun of line.textRuns) {
    const style = textRun.spans[0]?.style
    const even = textRun.spans.every((s) => s.style.font === style?.font && s.style.size === style.size)
    const scale = style ? setSize(style.size) / style.size : 1
    for (const { text, box } of textRun.words) {
      const own = (style && even ? setWidth(style, text, spacing) : undefined) ?? (box.x1 - box.x0) * scale
      const drawn = end === undefined ? 0 : box.x0 - end
      // With less than half a space the words touch, as in Thai or after a dash.
      const isSpace = drawn <= widestSpace * line.size && drawn >= majority * space
      const gap = end !== undefined && isSpace ? space : drawn
      width += gap + own
      end = box.x1
      words.push({ text, width: own, gap })
    }
  }
  return { x0: line.box.x0, textX0: line.textX0, size: line.size, width, words }
}

/** Width of a word space: from the font, otherwise from lines that are not justified. */
function spaceOf(
  lines: readonly MergedLine[],
  align: Paragraph['align'],
  spacing: ReadonlyMap<Font, number>,
): number {
  const { font, size } = elementAt(lines, 0)
  const known = spaceIn(font, spacing)
  if (known !== undefined) return known * setSize(size)
  const gaps = (align === 'justify' ? lines.slice(-1) : lines).flatMap((l) =>
    l.textRuns.flatMap((p) => p.words.slice(1).map((w, i) => w.box.x0 - (p.words[i]?.box.x1 ?? 0))),
  )
  return gaps.length >= minPattern ? median(gaps) : usualSpace * size
}
