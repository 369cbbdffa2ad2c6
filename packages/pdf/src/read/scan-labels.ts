import type { OcrWord } from './ocr/words.ts'
import { type Ink, inkedColumns } from './scan-ink.ts'

// Tesseract joins the label of a list item and the first word after it, because their gap is narrower than the word
// spaces of a justified line: `B.The`. The gap is still wider than those between letters.

const joinedLabel = /^((?:\p{L}|[ivx]{2,4}|\d{1,2}(?=[.)]\p{L}))[.)])(?=[\p{L}\p{N}])/u
/** Minimum width of the gap, in ems, and relative to the other gaps in the word. */
const minGap = 0.14
const minTimes = 1.5
/** The gap is where the share of characters says, up to this factor: letters differ in width. */
const inexact = 2

export function withLabel(ink: Ink, line: readonly OcrWord[], size: number): OcrWord[] {
  const [first, ...others] = line
  const label = first && joinedLabel.exec(first.text)?.[1]
  if (!first || !label) return [...line]
  const [widest, next] = gapsIn(ink, first).toSorted((a, b) => b.width - a.width)
  const expected = (first.width * label.length) / first.text.length
  const isGap =
    widest !== undefined &&
    widest.width >= Math.max(minGap * size, minTimes * (next?.width ?? 0)) &&
    widest.left - first.left <= inexact * expected
  if (!isGap) return [...line]
  const right = widest.left + widest.width
  return [
    { ...first, text: label, width: widest.left - first.left },
    { ...first, text: first.text.slice(label.length), left: right, width: first.left + first.width - right },
    ...others,
  ]
}

/** White columns between the letters of a word. */
function gapsIn(ink: Ink, word: OcrWord): { left: number; width: number }[] {
  const inked = inkedColumns(ink, word)
  return inked.slice(1).flatMap((x, i) => {
    const left = (inked[i] ?? x) + 1
    return x > left ? [{ left, width: x - left }] : []
  })
}
