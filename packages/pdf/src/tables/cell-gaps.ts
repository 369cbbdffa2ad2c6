import type { TextRun } from '../lines/line.ts'
import { splitTextRun } from '../lines/split-text-run.ts'
import { nearlyAll, several, sizeableShare, widestSpace } from '../tolerances.ts'

// Inside a table every gap that is wider than a space between words may part two cells.

/** In ems. A space between words takes a quarter to a third; columns are set apart by more. */
const minGap = 0.55
/** Letters of a typewriter are all as wide as its space, 0.6. */
const minMonoGap = 0.95

const cellGap = (p: TextRun): number => (p.font.mono ? minMonoGap : minGap) * p.size

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

/** The widest is less than twice the narrowest. */
const maxUneven = 1.8

function isJustified({ words, size, text }: TextRun): boolean {
  if (words.length < several || /\d/.test(text)) return false
  const gaps = words.slice(1).map((w, i) => w.box.x0 - (words[i] as TextRun['words'][number]).box.x1)
  const widest = Math.max(...gaps)
  return widest < widestSpace * size && widest < maxUneven * Math.min(...gaps)
}

/** The same for what may be running text between two rules that far apart from end to end. */
export function cutCells(p: TextRun, wide: number): TextRun[] {
  const cut = cutAtGaps(p)
  const isProse =
    p.words.length >= several &&
    p.box.x1 - p.box.x0 > nearlyAll * wide &&
    !/\d/.test(p.text) &&
    cut.length - 1 < sizeableShare * (p.words.length - 1)
  return isProse ? [p] : cut
}
