import type { TextRun } from '../lines/line.ts'
import { splitBefore } from '../lines/split-text-run.ts'
import { columnGap, nearlyAll, several, sizeableShare } from '../tolerances.ts'

// Inside a table, every gap wider than a word space may separate two cells.

/** In monospaced fonts a space is 0.6 em wide, like all characters. */
const minMonoGap = 0.95

const cellGap = (p: TextRun): number => (p.font.mono ? minMonoGap : columnGap) * p.size

/** Splits a text run at such gaps. */
export const cutAtGaps = (textRun: TextRun): TextRun[] =>
  splitBefore(textRun, ({ box }, before) => box.x0 - before.box.x1 >= cellGap(textRun))

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
