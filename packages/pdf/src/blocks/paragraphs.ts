import { elementAt } from '../element-at.ts'
import type { TextLine } from '../layout/layout.ts'
import {
  closeLines,
  minPattern,
  nearlyAll,
  sameIndent,
  samePosition,
  sizeableShare,
  sizeTolerance,
  usualSpace,
} from '../tolerances.ts'
import { largeRatio } from './heading-rules.ts'
import { isNext, type Label, readLabel, readNumber } from './labels.ts'
import type { LinePitch } from './line-pitch.ts'
import { isInside, isJustified, lineText, type MergedLine } from './line-text.ts'

// Groups lines into paragraphs. The main question for each line is whether its first word would have fitted on the line
// above: if so, the line above was ended on purpose.

/** A new block begins farther away than the usual pitch by more than a quarter and more than rounding, in points. */
const farTimesUsual = 1.28
const farPoints = 2.5
/** Minimum line pitch in ems: closer lines overlap or are side by side. */
const nearest = 0.45
/** Line pitches of one text differ by less than a fifth. */
const samePitch = 0.8
/** Free space at the end of a broken line, in ems: less if the frame defines the edge than if other lines do. */
const slackAtFrame = 0.3
const slackAtLines = 0.6
/** Minimum indent of a first line, in ems. */
export const minIndent = 0.7
/** Maximum distance between the end of a broken line and the edge, in ems. */
const nearEdge = 2
/** Minimum gap after a label, wider than a space, and maximum distance of the text from it, in ems. */
const labelGap = 0.8
const labelReach = 1.6
/** A centred line has the same margin on both sides, within a tolerance in points and as a share of the width. */
const minMargin = 6
const offCentreShare = 0.06

export interface Frame {
  x0: number
  x1: number
  /** Positions where lines often end. */
  edges?: readonly number[]
  /** Position of line breaks, if it is short of `x1`. */
  brokenAt?: number | undefined
}

export interface ParagraphLines {
  lines: MergedLine[]
  label: Label | undefined
}

export function splitParagraphs(
  lines: readonly TextLine[],
  frame: Frame,
  linePitch: LinePitch,
): ParagraphLines[] {
  const justified = isJustified(lines, frame)
  const merged = lines.map((l) => lineText(l, frame, justified))
  const blocks = evenBlocks(merged, linePitch)
  const out: ParagraphLines[] = []
  for (const block of blocks) {
    const edge = rightEdge(block, frame)
    const left = Math.min(...block.map((l) => l.box.x0))
    let current: ParagraphLines | undefined
    const labels = block.map(readLabel)
    const numbers = labels.map((l) => (l ? readNumber(l.text) : []))
    for (const [i, line] of block.entries()) {
      const label = labels[i]
      const previous = current?.lines.at(-1)
      if (
        !current ||
        !previous ||
        startsNew({
          current,
          previous,
          line,
          next: block[i + 1],
          label,
          edge,
          left,
          frame,
          linePitch,
          counts: () => isInSequence(i, block, numbers),
        })
      ) {
        current = { lines: [line], label }
        out.push(current)
      } else current.lines.push(line)
    }
  }
  return out
}

/** Sequences of lines of the same size and pitch: paragraphs span lines only within these. */
function evenBlocks(lines: readonly MergedLine[], linePitch: LinePitch): MergedLine[][] {
  const out: MergedLine[][] = []
  let block: MergedLine[] = []
  let pitch: number | undefined
  for (const line of lines) {
    const previous = block.at(-1)
    if (previous) {
      const step = line.baseline - previous.baseline
      const size = Math.max(line.size, previous.size)
      const usual = pitch ?? linePitch.pitch(size)
      // A lead-in of another size continues in the size that it ended with.
      const sizeChange =
        Math.abs(line.size - previous.size) > sizeTolerance * size &&
        Math.abs(line.edgeSizes[0] - previous.edgeSizes[1]) > sizeTolerance * size
      const far = step > Math.max(farTimesUsual * usual, usual + farPoints)
      const near = step < nearest * size
      if (sizeChange || far || near) {
        out.push(block)
        block = []
        pitch = undefined
      } else
        pitch =
          pitch === undefined
            ? step
            : Math.min(step, pitch) < samePitch * Math.max(step, pitch)
              ? step
              : (pitch + step) / 2
    }
    block.push(line)
  }
  if (block.length > 0) out.push(block)
  return out
}

/** The position of line breaks in this block: its own right edge if lines are broken short of the frame. */
function rightEdge(block: readonly MergedLine[], frame: Frame): number {
  const rights = block.map((l) => l.box.x1).sort((a, b) => b - a)
  const maxRight = rights[0] as number
  if (block.length >= minPattern) {
    const shared = rights.filter((r) => maxRight - r < samePosition).length
    if (shared >= minPattern && shared >= sizeableShare * block.length) return maxRight
  }
  const left = Math.min(...block.map((l) => l.box.x0))
  if (maxRight > left + nearlyAll * (frame.x1 - left) && block.length >= minPattern) return maxRight
  return Math.max(maxRight, frame.brokenAt ?? frame.x1)
}

interface Decision {
  current: ParagraphLines
  previous: MergedLine
  line: MergedLine
  next: MergedLine | undefined
  label: Label | undefined
  edge: number
  left: number
  frame: Frame
  linePitch: LinePitch
  /** Whether the label has a predecessor or successor. */
  counts: () => boolean
}

/** Whether another line begins with the next number or the one before, at the same position. */
function isInSequence(
  at: number,
  block: readonly MergedLine[],
  numbers: readonly ReturnType<typeof readNumber>[],
): boolean {
  const startOf = ({ rtl, box }: MergedLine): number => (rtl ? box.x1 : box.x0)
  const own = elementAt(numbers, at)
  const start = startOf(elementAt(block, at))
  return block.some(
    (other, i) =>
      Math.abs(startOf(other) - start) <= sameIndent &&
      elementAt(numbers, i).some((n) => own.some((o) => isNext(n, o) || isNext(o, n))),
  )
}

const endsSentence = /[.!?:;…。！？：；]["'”’)\]»]*$/u

function startsNew(d: Decision): boolean {
  const { current, previous, line, label } = d
  const size = line.size
  if (d.line.paragraphTag && previous.paragraphTag)
    if (d.line.paragraphTag !== previous.paragraphTag) {
      if (distinctTags(d)) return true
    } else if (/^H[1-6]?$/.test(previous.paragraphTag.type)) return false
  if (previous.tabbed || line.tabbed) {
    if (previous.leader || line.leader) return true
    // A label, a tab and text may continue on the next line; other lines with tabs are separate.
    if (previous.tabbed && !(current.label && current.lines.length === 1)) return true
    if (line.tabbed && !label) return true
  }
  if (label && isNewItem(d)) return true
  // Consecutive footnotes.
  if (beginsRaised(line) && beginsRaised(current.lines[0])) return true
  const centred = isCentred(previous, d.frame) && isCentred(line, d.frame)
  const room = centred ? d.edge - d.left - (previous.box.x1 - previous.box.x0) : d.edge - previous.box.x1
  const rtl = previous.rtl && line.rtl
  const roomHere = rtl ? previous.box.x0 - d.left : room
  const needs = line.firstWordWidth + usualSpace * size
  const slack = d.edge >= (d.frame.brokenAt ?? d.frame.x1) - 1 ? slackAtFrame * size : slackAtLines * size
  if (roomHere > needs + slack && !isOneHeading(d)) {
    // Ragged text that avoids a short word at a line end leaves less free space than this.
    if (
      !(
        line.startsLower &&
        !endsSentence.test(previous.text) &&
        (roomHere < sizeableShare * (d.edge - d.left) || isBalanced(previous, line))
      )
    )
      return true
  }
  const lead =
    current.lines.length === 1 ? undefined : Math.min(...current.lines.slice(1).map((l) => l.box.x0))
  if (!rtl && !centred) {
    const indent = minIndent * size
    // Indented first line.
    if (
      line.box.x0 > previous.box.x0 + indent &&
      (!d.next || d.next.box.x0 < line.box.x0 - indent) &&
      !current.label
    ) {
      if (current.lines.length > 1 || endsSentence.test(previous.text)) return true
    }
    // A line back at the margin ends a hanging indent.
    if (lead !== undefined && line.box.x0 < lead - indent) return true
    if (
      current.lines.length === 1 &&
      current.label &&
      line.box.x0 < previous.textX0 - indent &&
      line.box.x0 <= previous.box.x0 + 1
    )
      if (endsSentence.test(previous.text) && !line.startsLower) return true
  }
  if (
    previous.allBold !== line.allBold &&
    (previous.allBold ? endsSentence.test(previous.text) || roomHere > needs : true)
  )
    return previous.allBold || endsSentence.test(previous.text)
  return false
}

/** Lines of large text are those of one heading: authors break them where the meaning does. */
const isOneHeading = ({ previous, line, linePitch }: Decision): boolean =>
  line.size >= largeRatio * linePitch.bodySize &&
  line.baseline - previous.baseline <= closeLines * line.size &&
  previous.allBold === line.allBold &&
  !/[.!?。！？]$/u.test(previous.text) &&
  !/^\d/.test(line.text)

/** Whether the two may be lines of a heading that was broken into lines of equal length. */
const isBalanced = (previous: MergedLine, line: MergedLine): boolean =>
  previous.allBold && line.allBold && /\p{L}/u.test(previous.text)

/** Whether the line begins with a superscript marker, as footnotes do. */
function beginsRaised(line: MergedLine | undefined): boolean {
  const first = line?.runs[0]
  return first?.style.script === 'super' && /^[\d*†‡§¶‖]{1,4}\s*$/.test(first.text)
}

/** Whether the structure tree separates the lines and the layout does not contradict. */
function distinctTags(d: Decision): boolean {
  const { previous, line } = d
  // A label belongs to the whole item, its text to a paragraph in the item.
  if (previous.tag?.type === 'Lbl' && isInside(line.paragraphTag, previous.paragraphTag)) return false
  const isFull = previous.box.x1 > d.edge - nearEdge * line.size
  return !(line.startsLower && !endsSentence.test(previous.text) && isFull)
}

function isNewItem(d: Decision): boolean {
  const { current, line, label, previous } = d
  if (!label) return false
  if (label.kind === 'bullet') return true
  if (label.kind === 'typed') return current.label?.text === label.text
  // A number that was wrapped to the start of a line is not a label: labels are to the left of the text of the lines
  // above.
  const startOf = ({ box }: MergedLine): number => (line.rtl ? -box.x1 : box.x0)
  const textOf = ({ textX0 }: MergedLine): number => (line.rtl ? -textX0 : textX0)
  const start = startOf(line)
  const textEdge = current.lines.length > 1 ? startOf(elementAt(current.lines, 1)) : textOf(previous)
  if (current.label && start <= startOf(elementAt(current.lines, 0)) + samePosition) return true
  // Neither is a line that is indented farther than the others of its item: it is an item below it.
  if (current.label && (start > textEdge + minIndent * line.size || d.counts())) return true
  // A letter alone may be a word.
  if (label.text.length === 1) return false
  if (start < textEdge - samePosition) return true
  if (label.gap > labelGap * line.size || textOf(line) > start + labelReach * line.size) return true
  return endsSentence.test(previous.text) && start >= textEdge - samePosition
}

export function isCentred(line: MergedLine, frame: Frame): boolean {
  const left = line.box.x0 - frame.x0
  const right = frame.x1 - line.box.x1
  return (
    left > minMargin &&
    right > minMargin &&
    Math.abs(left - right) < Math.max(samePosition, offCentreShare * (left + right))
  )
}
