import { elementAt } from '../element-at.ts'
import { nearlyAll, samePosition, sizeableShare, surePattern } from '../tolerances.ts'
import { usualSize } from '../typography.ts'
import type { Paragraph } from './block.ts'
import type { MergedLine } from './line-text.ts'
import { type Frame, isCentred } from './paragraphs.ts'

/** A centred line has at least this share of the width as margin on each side; otherwise it fills its frame. */
const minMargin = 0.04
/** Left edges of centred lines differ by at least half an em; lines that fill the frame do not count. */
const minSpread = 0.5
const fullLine = 0.97
/** A full line without others to compare with must end exactly at an edge, in points; that of others within twice this. */
const exactEnd = 0.7

/** Alignment and indents of a paragraph in its frame, computed from the edges of its lines. */
export function edges(
  lines: readonly MergedLine[],
  frame: Frame,
  rtl: boolean,
  labelled: boolean,
): { align: Paragraph['align']; left: number; right: number; indent: number } {
  const x0s = lines.map((l) => l.box.x0)
  const x1s = lines.map((l) => l.box.x1)
  const wide = frame.x1 - frame.x0
  const size = lines[0]?.size ?? usualSize
  const spreadLeft = Math.max(...x0s) - Math.min(...x0s)
  const spreadRight = Math.max(...x1s) - Math.min(...x1s)
  const tabbed = lines.some((l) => l.tabbed)
  if (lines.length === 1) {
    const line = elementAt(lines, 0)
    if (!tabbed && !labelled && isCentred(line, frame) && line.box.x0 - frame.x0 > minMargin * wide)
      return { align: 'center', left: 0, right: 0, indent: 0 }
    const gapLeft = line.box.x0 - frame.x0
    const gapRight = frame.x1 - line.box.x1
    if (!tabbed && !labelled && gapRight < samePosition && gapLeft > sizeableShare * wide)
      return { align: rtl ? 'left' : 'right', left: 0, right: 0, indent: 0 }
    if (rtl)
      return {
        align: gapLeft < samePosition && gapRight > sizeableShare * wide ? 'right' : 'left',
        left: Math.max(0, gapRight),
        right: 0,
        indent: 0,
      }
    return { align: 'left', left: Math.max(0, gapLeft), right: 0, indent: 0 }
  }
  if (
    !labelled &&
    !tabbed &&
    spreadLeft > minSpread * size &&
    lines.every((l) => isCentred(l, frame) || l.box.x1 - l.box.x0 > fullLine * wide)
  )
    return { align: 'center', left: 0, right: 0, indent: 0 }
  // Centred on an axis other than the middle of the frame.
  const centres = lines.map((l) => (l.box.x0 + l.box.x1) / 2)
  if (
    !labelled &&
    !tabbed &&
    spreadLeft > size &&
    spreadRight > size &&
    Math.max(...centres) - Math.min(...centres) < samePosition
  ) {
    const centre = (centres[0] as number) - frame.x0
    const left = Math.max(0, 2 * centre - wide)
    const right = Math.max(0, wide - 2 * centre)
    return { align: 'center', left, right, indent: 0 }
  }
  const rest = lines.slice(1)
  if (rtl) {
    const restRight = Math.max(...rest.map((l) => l.box.x1))
    return {
      align: justified(lines, frame, true) ? 'justify' : 'left',
      left: Math.max(0, frame.x1 - restRight),
      right: 0,
      indent: restRight - elementAt(lines, 0).box.x1,
    }
  }
  const restLeft = Math.min(...rest.map((l) => l.box.x0))
  const rightmost = Math.max(...x1s)
  const isJustified = justified(lines, frame, false)
  const rightGap = frame.x1 - rightmost
  return {
    align: isJustified ? 'justify' : 'left',
    left: Math.max(0, restLeft - frame.x0),
    right: isJustified && rightGap > samePosition ? rightGap : 0,
    indent: elementAt(lines, 0).box.x0 - restLeft,
  }
}

/** All lines except the last end at the same position, within a tolerance that chance would not meet. */
function justified(lines: readonly MergedLine[], frame: Frame, rtl: boolean): boolean {
  const inner = lines.slice(0, -1)
  if (inner.length === 0) return false
  const ends = inner.map((l) => (rtl ? l.box.x0 : l.box.x1))
  const tight = Math.max(...ends) - Math.min(...ends)
  if (inner.length >= 2) {
    const outermost = rtl ? Math.min(...ends) : Math.max(...ends)
    const close = ends.filter((e) => Math.abs(e - outermost) < samePosition).length
    return tight < 2 * exactEnd || (close >= surePattern && close >= nearlyAll * ends.length)
  }
  // One full line is weak evidence: it must end exactly where other lines end.
  const end = ends[0] as number
  if (!rtl && frame.edges?.some((e) => Math.abs(e - end) < exactEnd)) return true
  return Math.abs(end - (rtl ? frame.x0 : frame.x1)) < exactEnd
}
