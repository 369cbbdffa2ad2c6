import { countCommon } from './count-common.ts'

// Pages in any script: no letter is lost or added, paragraphs are in order, words are separated as in the source, and a
// table has the same cells. Each part is from 0 to 1.

interface ScriptTruth {
  /** In reading order; no two are alike. */
  paragraphs: string[]
  /** Row by row; empty when the page has no table. */
  table: string[][]
}

interface ScriptScore {
  /** Letters and digits of the source that are in the output. */
  letters: number
  /** Paragraphs that are complete, with every space, each on its own. */
  paragraphs: number
  /** Neighbours among the paragraphs that follow each other. */
  order: number
  /** Cells of the table in their places. */
  cells: number
}

const letters = (text: string): string[] =>
  [...text.normalize('NFC')].filter((c) => /[\p{L}\p{M}\p{N}]/u.test(c))

/** Dice coefficient of two texts as multisets. */
const alike = (a: readonly string[], b: readonly string[]): number =>
  (2 * countCommon(a, b)) / Math.max(1, a.length + b.length)

const spaced = (text: string): string => text.normalize('NFC').replace(/\\/g, '').replace(/\s+/g, ' ').trim()

/** `text` is the page converted to plain text: a paragraph is a line, and the cells of a row are separated by tabs. */
export function scoreScript(page: ScriptTruth, text: string): ScriptScore {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const flat = letters(text).join('')
  const whole = [...page.paragraphs, ...page.table.flat()].join(' ')
  // The first words of a paragraph and its number are its own.
  const starts = page.paragraphs.map((p) => flat.indexOf(letters(p).slice(0, 20).join('')))
  const follows = starts.slice(1).filter((at, i) => at > (starts[i] as number) && (starts[i] as number) >= 0)
  const rows = lines.filter((line) => line.includes('\t')).map((line) => line.split('\t').map(spaced))
  const cells = page.table.flatMap((row, r) => row.map((cell, c) => rows[r]?.[c] === spaced(cell)))
  const found = new Set(lines.map(spaced))
  return {
    letters: alike(letters(whole), [...flat]),
    paragraphs: page.paragraphs.filter((p) => found.has(spaced(p))).length / page.paragraphs.length,
    order: follows.length / Math.max(1, starts.length - 1),
    cells: cells.filter(Boolean).length / Math.max(1, cells.length, rows.flat().length),
  }
}
