import { median } from '../../geometry.ts'
import { hasLetters, sizeOf, tailOf } from '../scan-sizes.ts'

// Parses tesseract's TSV output into words. Words of low confidence are dropped: the picture stays in the document and
// shows them.

export interface OcrWord {
  text: string
  /** In pixels. */
  left: number
  top: number
  width: number
  height: number
  line: string
  /** From 0 to 100. */
  confidence: number
}

/** Confidence (0 to 100) below which more words are wrong than right. */
const minConfidence = 45
/** In a line of several words that was read well, only noise is dropped. */
const sureLine = 75
const minInLine = 5
/** Maximum confidence for letters of another script. */
export const maxForeign = 60
const minWords = 4
/** Minimum number of letters: fewer are specks, or a line in a photograph. */
export const minLettersToJudge = 8

export function parseTsv(tsv: string): OcrWord[] {
  const words: OcrWord[] = []
  for (const row of tsv.split('\n').slice(1)) {
    const f = row.split('\t')
    const text = f[11]?.trim()
    if (f[0] !== '5' || !text) continue
    words.push({
      text,
      line: f.slice(1, 5).join('.'),
      confidence: Number(f[10]),
      left: Number(f[6]),
      top: Number(f[7]),
      width: Number(f[8]),
      height: Number(f[9]),
    })
  }
  return wordLines(words).flatMap((line) => withLetterI(joined(withoutOverlap(line))))
}

export const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u
const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff60]/u
/** Scripts without spaces between words; phrases have spaces between them. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** No line begins with closing punctuation: OCR reads bullets as such. */
const bullet = /^[。、，．・]+$/u
/** Ideographs farther apart, relative to the height of the line, are in two columns. */
const joint = 0.8
/** Relative to the median height of its parts: a space between phrases is wider. */
const narrowest = 0.65

/** Boxes of words are inexact if letters touch or have no spaces between them; their order is correct. */
function withoutOverlap(line: readonly OcrWord[]): OcrWord[] {
  const back = line.filter(({ text }) => rightToLeft.test(text)).length > line.length / 2
  return line.map((word, i) => {
    const next = line[i + 1]
    if (!next) return word
    const right = word.left + word.width
    if (!back && next.left > word.left && next.left < right) return { ...word, width: next.left - word.left }
    const end = next.left + next.width
    return back && next.left < word.left && end > word.left && end < right
      ? { ...word, left: end, width: right - end }
      : word
  })
}

/** A bar is a quarter higher than the letter, in common fonts, and ends below the baseline by this quarter. */
const taller = 1 / 4

/** The letter I without serifs is read as a bar, which would reach as far down as a tail. */
const withLetterI = (line: readonly OcrWord[]): OcrWord[] =>
  line.map((word) => {
    if (word.text !== '|') return word
    const distance = (other: OcrWord): number => Math.abs(other.left - word.left)
    const [nearest] = line
      .filter(({ text }) => hasLetters(text) && tailOf(text) === 0)
      .toSorted((a, b) => distance(a) - distance(b))
    const letter = { ...word, text: 'I' }
    const isLetter =
      nearest &&
      Math.abs(bottomOf(word) - bottomOf(nearest)) < (taller / 2) * word.height &&
      Math.abs(sizeOf([letter]) / sizeOf([nearest]) - 1) < taller / 2
    return isLetter ? letter : word
  })

const bottomOf = ({ top, height }: OcrWord): number => top + height

/** Tesseract splits ideographs, and letters of scripts without spaces, arbitrarily. */
function joined(line: readonly OcrWord[]): OcrWord[] {
  const out: OcrWord[] = []
  const height = Math.max(...line.map((word) => word.height))
  const usual = median(line.map((word) => word.height))
  for (const word of line) {
    const last = out.at(-1)
    const gap = last ? word.left - last.left - last.width : 0
    const isBoth = (script: RegExp): boolean =>
      script.test([...(last?.text ?? '')].at(-1) ?? '') && script.test([...word.text][0] ?? '')
    const isJoined =
      (gap < joint * height && isBoth(ideograph)) || (gap < narrowest * usual && isBoth(unspaced))
    const isBullet = out.length === 1 && bullet.test(last?.text ?? '')
    if (last && isJoined && !isBullet) out[out.length - 1] = union(last, word)
    else out.push(word)
  }
  return out
}

function union(a: OcrWord, b: OcrWord): OcrWord {
  const top = Math.min(a.top, b.top)
  return {
    text: a.text + b.text,
    line: a.line,
    confidence: meanConfidence([a, b]),
    left: a.left,
    top,
    width: Math.max(a.left + a.width, b.left + b.width) - a.left,
    height: Math.max(a.top + a.height, b.top + b.height) - top,
  }
}

export const wordLines = (words: readonly OcrWord[]): OcrWord[][] => [
  ...Map.groupBy(words, ({ line }) => line).values(),
]

/** If OCR is sure of fewer letters and of no line, the text is in a script that it does not know. */
export function isLegible(words: readonly OcrWord[]): boolean {
  const text = words.filter(({ text }) => anyLetter.test(text))
  return (
    lettersIn(text) < minLettersToJudge ||
    meanConfidence(text) >= minConfidence ||
    wordLines(text).some(isSure)
  )
}

export const sureWords = (words: readonly OcrWord[]): OcrWord[] => wordLines(words).flatMap(sureInLine)

const isSure = (line: readonly OcrWord[]): boolean =>
  meanConfidence(line) >= sureLine && line.length >= minWords

/** In a line that was read well, a word of low confidence is more often right than wrong. */
function sureInLine(line: readonly OcrWord[]): OcrWord[] {
  const threshold = isSure(line) ? minInLine : minConfidence
  return line.filter((w) => w.confidence >= threshold || isNumber(w.text))
}

/** Noise is read as text with letters, or as a digit or two. */
const digitsThatShow = 3
const ofNumbers = /^[\d.,:/|¦[\]{}!\\-]+$/

/**
 * Numbers are not in dictionaries, and table rules beside them lower the confidence: most of them are right
 * nevertheless.
 */
const isNumber = (text: string): boolean =>
  ofNumbers.test(text) && (text.match(/\d/g)?.length ?? 0) >= digitsThatShow

/** Weighted by letters, 0 to 100. */
export function meanConfidence(words: readonly OcrWord[]): number {
  const length = words.reduce((sum, w) => sum + w.text.length, 0)
  return words.reduce((sum, w) => sum + w.confidence * w.text.length, 0) / Math.max(1, length)
}

const anyLetter = /\p{L}/u

/** Numbers are read well in every language: only words show whether it is that of the page. */
export const confidenceInLanguage = (words: readonly OcrWord[]): number =>
  meanConfidence(words.filter(({ text }) => anyLetter.test(text)))

/** Words of fewer letters may be taller than wide. */
const lettersThatShow = 3

/** Clockwise quarter turns that make the words upright: tesseract also reads vertical lines. */
export function turnsOf(words: readonly OcrWord[]): 0 | 1 | 3 {
  const long = words.filter(({ text }) => text.length >= lettersThatShow && !ideograph.test(text))
  const tall = long.filter((word) => word.height > word.width)
  if (tall.length <= long.length / 2) return 0
  // Direction from word to word of a line: downwards on a page that was rotated clockwise.
  const steps = wordLines(tall).flatMap((line) =>
    line.slice(1).map((word, i) => Math.sign(word.top - (line[i]?.top ?? 0))),
  )
  return steps.reduce((sum, step) => sum + step, 0) >= 0 ? 3 : 1
}

export const lettersIn = (words: readonly OcrWord[]): number =>
  words.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0)

export const textsOf = (words: readonly OcrWord[]): string[] => words.map(({ text }) => text)
