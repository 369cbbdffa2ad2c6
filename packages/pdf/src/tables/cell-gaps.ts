import type { TextRun } from '../lines/line.ts'
import { splitBefore } from '../lines/split-text-run.ts'
import { columnGap, nearlyAll, several, sizeableShare, widestSpace } from '../tolerances.ts'

// Inside a table, every gap wider than a word space may separate two cells.

/** In monospaced fonts a space is 0.6 em wide, like all characters. */
const minMonoGap = 0.95

const cellGap = (p: TextRun): number => (p.font.mono ? minMonoGap : columnGap) * p.size

/** Splits a text run at such gaps. */
export const cutAtGaps = (textRun: TextRun): TextRun[] =>
  isJustified(textRun)
    ? [textRun]
    : splitBefore(textRun, ({ box }, before) => box.x0 - before.box.x1 >= cellGap(textRun))

/** Maximum ratio of the widest to the narrowest gap in a justified line. */
const maxUneven = 1.8

function isJustified({ words, size, text }: TextRun): boolean {
  if (words.length < several || /\d/.test(text)) return false
  const gaps = words.slice(1).map((w, i) => w.box.x0 - (words[i] as TextRun['words'][number]).box.x1)
  const widest = Math.max(...gaps)
  return widest < widestSpace * size && widest < maxUneven * Math.min(...gaps)
}

/** The same for text between two rules of width `wide`, which may be running text. */
export function cutCells(p: TextRun, wide: number): TextRun[] {
  const cut = cutAtGaps(p)
  const isProse =
    p.words.length >= several &&
    p.box.x1 - p.box.x0 > nearlyAll * wide &&
    !/\d/.test(p.text) &&
    cut.length - 1 < sizeableShare * (p.words.length - 1)
  return isProse ? [p] : cut
}
