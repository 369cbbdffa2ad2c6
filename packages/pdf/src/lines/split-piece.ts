import { union } from '../geometry.ts'
import type { Piece, Span, Word } from './line.ts'

/** Cuts a piece where its words fall into different columns. `columnAt` names the column of a place. */
export function splitPiece(piece: Piece, columnAt: (x: number) => number): Piece[] {
  if (piece.rtl || piece.turn !== 0 || piece.words.length < 2) return [piece]
  const columns = piece.words.map((w) => columnAt((w.box.x0 + w.box.x1) / 2))
  if (columns.every((c) => c === columns[0])) return [piece]
  // The text is its words with one space between.
  const joined = piece.words.map((w) => w.text).join(' ')
  const characters = piece.spans.map((s) => s.text).join('')
  if (joined !== characters) return [piece]
  const out: Piece[] = []
  let from = 0
  let offset = 0
  for (let i = 1; i <= piece.words.length; i++) {
    if (i < piece.words.length && columns[i] === columns[from]) continue
    const words = piece.words.slice(from, i)
    const length = words.map((w) => w.text).join(' ').length
    out.push(part(piece, words, offset, offset + length))
    offset += length + 1
    from = i
  }
  return out
}

function part(piece: Piece, words: Word[], from: number, to: number): Piece {
  const box = union(words.map((w) => w.box))
  const spans = sliceSpans(piece.spans, from, to)
  const main = spans.reduce((a, b) => (b.text.length > a.text.length ? b : a), spans[0] as Span)
  return {
    ...piece,
    box: { x0: box.x0, x1: box.x1, y0: piece.box.y0, y1: piece.box.y1 },
    words,
    spans,
    text: spans.map((s) => s.text).join(''),
    size: main.style.script ? piece.size : main.style.size,
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
