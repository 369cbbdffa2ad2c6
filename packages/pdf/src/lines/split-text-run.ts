import { elementAt } from '../element-at.ts'
import { centreX, union } from '../geometry.ts'
import type { Span, TextRun, Word } from './line.ts'

/** Splits a text run whose words are in different columns. `columnAt` returns the column at a position. */
export const splitTextRun = (textRun: TextRun, columnAt: (x: number) => number): TextRun[] =>
  splitWords(
    textRun,
    textRun.words.map((w) => columnAt(centreX(w.box))),
  )

/** Splits a text run before the words that start a column. */
export function splitBefore(
  textRun: TextRun,
  isStart: (word: Word, before: Word, textRun: TextRun) => boolean,
): TextRun[] {
  let column = 0
  const columns = textRun.words.map((word, i) => {
    const before = textRun.words[i - 1]
    if (before && isStart(word, before, textRun)) column++
    return column
  })
  return splitWords(textRun, columns)
}

function splitWords(textRun: TextRun, columns: readonly number[]): TextRun[] {
  if (textRun.turn !== 0 || columns.every((c) => c === columns[0])) return [textRun]
  // The text is the words joined by single spaces.
  const joined = textRun.words.map((w) => w.text).join(' ')
  const characters = textRun.spans.map((s) => s.text).join('')
  if (joined !== characters) return [textRun]
  const out: TextRun[] = []
  let from = 0
  let offset = 0
  for (let i = 1; i <= textRun.words.length; i++) {
    if (i < textRun.words.length && columns[i] === columns[from]) continue
    const words = textRun.words.slice(from, i)
    const length = words.map((w) => w.text).join(' ').length
    out.push(part(textRun, words, offset, offset + length))
    offset += length + 1
    from = i
  }
  return out
}

function part(textRun: TextRun, words: Word[], from: number, to: number): TextRun {
  const box = union(words.map((w) => w.box))
  const spans = sliceSpans(textRun.spans, from, to)
  const main = spans.reduce((a, b) => (b.text.length > a.text.length ? b : a), elementAt(spans, 0))
  return {
    ...textRun,
    box: { x0: box.x0, x1: box.x1, y0: textRun.box.y0, y1: textRun.box.y1 },
    words,
    spans,
    text: spans.map((s) => s.text).join(''),
    size: main.style.script ? textRun.size : main.style.size,
    font: main.style.font,
  }
}

function sliceSpans(spans: readonly Span[], from: number, to: number): Span[] {
  const out: Span[] = []
  let at = 0
  for (const span of spans) {
    const start = Math.max(from, at)
    const end = Math.min(to, at + span.text.length)
    if (end > start) out.push({ text: span.text.slice(start - at, end - at), style: span.style })
    at += span.text.length
  }
  return out
}
