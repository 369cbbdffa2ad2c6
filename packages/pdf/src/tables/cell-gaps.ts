import type { TextRun } from '../lines/line.ts'
import { splitTextRun } from '../lines/split-text-run.ts'

// Inside a table every gap that is wider than a space between words may part two cells.

/** In ems. A space between words takes a quarter to a third; columns are set apart by more. */
const leastGap = 0.55
/** Letters of a typewriter are all as wide as its space, 0.6. */
const leastMonoGap = 0.95

const cellGap = (p: TextRun): number => (p.font.mono ? leastMonoGap : leastGap) * p.size

/** The stretches of a text run between such gaps. */
export function cutAtGaps(textRun: TextRun): TextRun[] {
  if (isJustified(textRun)) return [textRun]
  const least = cellGap(textRun)
  const cuts: number[] = []
  for (const [i, word] of textRun.words.entries()) {
    const before = textRun.words[i - 1]
    if (before && word.box.x0 - before.box.x1 >= least) cuts.push((word.box.x0 + before.box.x1) / 2)
  }
  return cuts.length === 0 ? [textRun] : splitTextRun(textRun, (x) => cuts.filter((c) => x > c).length)
}

/** Spaces stretched to fill a line are wider than usual, but all alike, and part words, not numbers. */
const mostStretched = 1.1
/** The widest is less than twice the narrowest. */
const mostUneven = 1.8
/** In words: fewer gaps are alike by chance. */
const leastWords = 5

function isJustified({ words, size, text }: TextRun): boolean {
  if (words.length < leastWords || /\d/.test(text)) return false
  const gaps = words.slice(1).map((w, i) => w.box.x0 - (words[i] as TextRun['words'][number]).box.x1)
  const widest = Math.max(...gaps)
  return widest < mostStretched * size && widest < mostUneven * Math.min(...gaps)
}

/** A line of running text: words that fill the width, and few gaps wider than between words, as after a full stop. */
const proseWords = 5
const proseFilling = 0.85
const proseGaps = 0.34

/** The same for what may be running text between two rules that far apart from end to end. */
export function cutCells(p: TextRun, wide: number): TextRun[] {
  const cut = cutAtGaps(p)
  const isProse =
    p.words.length >= proseWords &&
    p.box.x1 - p.box.x0 > proseFilling * wide &&
    !/\d/.test(p.text) &&
    cut.length - 1 < proseGaps * (p.words.length - 1)
  return isProse ? [p] : cut
}
