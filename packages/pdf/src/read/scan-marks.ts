import type { OcrWord } from './ocr/words.ts'
import type { Rule } from './page.ts'
import { sizeOf } from './scan-sizes.ts'

// Rules and letters are mistaken for each other: a stroke of a heading for a rule, a table rule for a bar or a bracket.
// A rule under a word is not a rule, and a character on a rule is not a word.

/** Side of a cell of the map in pixels; smaller than any letter. */
const cellSide = 3
/** Pixels by which boxes of words are too small. */
const roundedBy = 2
/** If a larger share of a rule is under words, it consists of strokes of letters. */
const maxUnderWords = 0.6
/** If a larger share of a character is on a rule, it is the rule. */
const minOnRule = 0.5

const hasText = /[\p{L}\p{N}]/u
/** Characters that OCR reads table rules as; some letters look like them. */
export const likeRule = /^(?:[|¦_—–=~[\]{}!\\/-]+|[lI])$/
const bars = /^[|¦]+$/
/** In ems: bars are 0.97 high in common fonts; a rule that is too short to be found is higher. */
const tallestBar = 1.1
const barBefore = /^[|¦[\]{}!](?=.)/
const barBehind = /(?<=.)[|¦[\]{}!]$/

interface Marks {
  columns: number
  rows: number
  set: Uint8Array
}

function emptyMarks(picture: { width: number; height: number }): Marks {
  const columns = Math.ceil(picture.width / cellSide) + 1
  const rows = Math.ceil(picture.height / cellSide) + 1
  return { columns, rows, set: new Uint8Array(columns * rows) }
}

type DotBox = Pick<OcrWord, 'left' | 'top' | 'width' | 'height'>

function* cellsIn({ columns, rows }: Marks, box: DotBox): Generator<number> {
  const cell = (dot: number, count: number): number =>
    Math.max(0, Math.min(count - 1, Math.floor(dot / cellSide)))
  const [x0, x1] = [cell(box.left, columns), cell(box.left + box.width, columns)]
  const [y0, y1] = [cell(box.top, rows), cell(box.top + box.height, rows)]
  for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) yield y * columns + x
}

function mark(marks: Marks, box: DotBox): void {
  for (const cell of cellsIn(marks, box)) marks.set[cell] = 1
}

function shareOf(marks: Marks, box: DotBox): number {
  let count = 0
  let set = 0
  for (const cell of cellsIn(marks, box)) {
    count++
    set += marks.set[cell] as number
  }
  return set / Math.max(1, count)
}

function boxOf({ horizontal, at, from, to, thickness }: Rule, dots: number): DotBox {
  const along = { start: from * dots, length: (to - from) * dots }
  const across = { start: (at - thickness / 2) * dots, length: thickness * dots }
  const [x, y] = horizontal ? [along, across] : [across, along]
  return { left: x.start, top: y.start, width: x.length, height: y.length }
}

const grown = ({ left, top, width, height }: DotBox, by: number): DotBox => ({
  left: left - by,
  top: top - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

/** `dots` is pixels per point. */
export function partRules(
  rules: readonly Rule[],
  lines: readonly (readonly OcrWord[])[],
  picture: { width: number; height: number },
  dots: number,
): { rules: Rule[]; lines: OcrWord[][] } {
  const words = emptyMarks(picture)
  for (const word of lines.flat())
    if (hasText.test(word.text) && !likeRule.test(word.text)) mark(words, grown(word, roundedBy))
  const kept = rules.filter((r) => shareOf(words, boxOf(r, dots)) < maxUnderWords)
  const drawn = emptyMarks(picture)
  for (const rule of kept) mark(drawn, grown(boxOf(rule, dots), cellSide))
  return { rules: kept, lines: lines.map((line) => withoutRulesIn(line, drawn)) }
}

function withoutRulesIn(line: readonly OcrWord[], drawn: Marks): OcrWord[] {
  const size = sizeOf(line.filter((word) => !bars.test(word.text)))
  return line.flatMap((word) => withoutRules(word, size, drawn))
}

function withoutRules(word: OcrWord, size: number, drawn: Marks): OcrWord[] {
  if (bars.test(word.text) && word.height > tallestBar * size) return []
  if (likeRule.test(word.text)) return shareOf(drawn, word) < minOnRule ? [word] : []
  const step = word.width / [...word.text].length
  let { text, left, width } = word
  const isDrawn = (at: number): boolean => shareOf(drawn, { ...word, left: at, width: step }) > 0
  if (barBefore.test(text) && isDrawn(left)) {
    text = text.slice(1)
    left += step
    width -= step
  }
  if (barBehind.test(text) && isDrawn(left + width - step)) {
    text = text.slice(0, -1)
    width -= step
  }
  return [{ ...word, text, left, width }]
}
