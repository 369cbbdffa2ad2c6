import { elementAt } from '../element-at.ts'
import type { OcrWord } from './ocr/words.ts'
import { type Ink, inkedColumns } from './scan-ink.ts'
import { sizeOf } from './scan-sizes.ts'

// List labels are in no dictionary, so OCR misreads or loses some of them: `ii,`, `G.` after `B.`, nothing. Between the
// labels of one list, whose texts begin at the same position, the sequence shows what the mark before a text is.

const longest = 20
const numbers = Array.from({ length: longest }, (_, i) => i + 1)
const romanOf = (value: number): string =>
  'x'.repeat(Math.floor(value / 10)) + elementAt(romanUnits, value % 10)
const romanUnits = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix']
const letterOf = (value: number): string => String.fromCharCode(0x60 + value)
const upper = (text: string): string => text.toUpperCase()
const series: readonly (readonly string[])[] = [
  numbers.map(String),
  numbers.map(romanOf),
  numbers.map(romanOf).map(upper),
  numbers.map(letterOf),
  numbers.map(letterOf).map(upper),
]
/** OCR reads the dot of a label as a comma, or not at all. */
const label = /^(\w{1,5})([.,)]?)$/
/** A label that OCR joins with a short word after it: `8.1` for `B. I`. */
const joinedLabel = /^\S{1,2}[.,)](?=\S)/
const isMisread = (suffix: string): boolean => suffix === ',' || suffix === ''
/** Maximum number of labels in a row that are not read, and of characters in a mark that is misread. */
const maxUnread = 3
const maxCharacters = 5
/** In ems: texts of one list begin within this distance; distance of a mark before its text, and its width. */
const aligned = 0.5
const furthest = 2.6
const narrowest = 0.14
/** Pixels by which boxes of words are too small. */
const roundedBy = 2

interface Mark {
  line: number
  /** The mark, or what it was read as: its first words. */
  words: number
  box: Pick<OcrWord, 'left' | 'top' | 'width' | 'height'>
  core: string
  suffix: string
  /** What was joined with it. */
  rest?: OcrWord
}

/** The lines, with the labels that the other labels of their list require. */
export function withSequences(lines: readonly (readonly OcrWord[])[], ink: Ink): OcrWord[][] {
  const out = lines.map((line) => [...line])
  for (const [i, line] of lines.entries()) {
    const [first, second] = line
    const [, core, suffix = ''] = label.exec(first?.text ?? '') ?? []
    // A number alone may be that of a row of a table.
    if (!first || !second || core === undefined || (!suffix && /\d/.test(core))) continue
    const mark = { line: i, words: 1, box: first, core, suffix }
    for (const [found, text] of completed(mark, marksBelow(lines, ink, i, second.left))) {
      const own = elementAt(lines, found.line)
      const word = { ...elementAt(own, 0), ...found.box, text }
      out[found.line] = [word, ...(found.rest ? [found.rest] : []), ...own.slice(found.words)]
    }
  }
  return out
}

/** The marks of this label's list up to the next label that continues it, each with its text. */
function completed(start: Mark, below: Iterable<Mark>): [Mark, string][] {
  const marks = [start]
  for (const mark of below) {
    const at = (cores: readonly string[]): number => cores.indexOf(start.core)
    const suffix = isMisread(start.suffix) ? mark.suffix : start.suffix
    const isSame = !isMisread(suffix) && (mark.suffix === suffix || isMisread(mark.suffix))
    const found = series.find((cores) => at(cores) >= 0 && cores[at(cores) + marks.length] === mark.core)
    marks.push(mark)
    if (found && isSame) return marks.map((each, i) => [each, `${found[at(found) + i]}${suffix}`])
    if (marks.length > maxUnread + 1) break
  }
  return []
}

/** The marks below a line whose texts begin at `left`. */
function* marksBelow(
  lines: readonly (readonly OcrWord[])[],
  ink: Ink,
  start: number,
  left: number,
): Generator<Mark> {
  const above = elementAt(elementAt(lines, start), 0)
  for (const [i, line] of lines.entries()) {
    const [first] = line
    if (i <= start || !first || first.top < above.top + above.height) continue
    const size = sizeOf(line)
    const isAtText = (word: OcrWord | undefined): boolean =>
      word !== undefined && Math.abs(word.left - left) <= aligned * size
    const words = line.findIndex(isAtText)
    const marks = line.slice(0, Math.max(0, words))
    const text = marks.map((word) => word.text).join('')
    if (words > 0 && text.length <= maxCharacters) {
      const end = elementAt(marks, -1)
      const box = { ...first, width: end.left + end.width - first.left }
      const [, core = '', suffix = ''] = label.exec(text) ?? []
      yield { line: i, words, box, core, suffix }
    } else if (words < 0 && Math.abs(first.left - above.left) <= aligned * size) {
      const mark = joinedLabel.exec(first.text)?.[0]
      const end = first.left + first.width
      if (mark === undefined || end <= left) continue
      const box = { ...first, width: above.width }
      const rest = { ...first, text: first.text.slice(mark.length), left, width: end - left }
      yield { line: i, words: 1, box, core: '', suffix: '', rest }
    } else if (words === 0) {
      const box = markBefore(ink, first, size)
      if (box) yield { line: i, words, box, core: '', suffix: '' }
    }
  }
}

/** The ink before the first word of a line, if it is wider than a rule. */
function markBefore(ink: Ink, { left, top, height }: OcrWord, size: number): Mark['box'] | undefined {
  const start = Math.round(left - furthest * size)
  const inked = inkedColumns(ink, { left: start, top, width: left - roundedBy - start, height })
  const [from, to] = [inked[0], inked.at(-1)]
  if (from === undefined || to === undefined || to - from < narrowest * size) return undefined
  return { left: from, top, width: to + 1 - from, height }
}
