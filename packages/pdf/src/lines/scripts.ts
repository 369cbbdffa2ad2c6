import { elementAt } from '../element-at.ts'

// Properties of the characters: direction, and whether spaces separate words.

const rtl = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
const ltr =
  /[A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u052f\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/
const cjk =
  /[\u1100-\u11ff\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\ud840-\ud8bf][\udc00-\udfff]/

export const isRtl = (text: string): boolean => rtl.test(text)
const isLtr = (text: string): boolean => ltr.test(text)
export const isCjk = (text: string): boolean => cjk.test(text)
const isDigit = (text: string): boolean => /[0-9\u0660-\u0669\u06f0-\u06f9]/.test(text)

type Direction = 'R' | 'L' | 'N'

function directionOf(text: string): Direction {
  if (isRtl(text)) return 'R'
  if (isLtr(text) || isDigit(text)) return 'L'
  return 'N'
}

/** A section number with its full stop, or a bullet, before right-to-left text. */
const leftStart = /^(?:\d{1,3}(?:\.\d{1,3}){0,4}[.)]|[•▪●◦■]) *(?=[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff])/
/** Sentence-ending punctuation after right-to-left text. */
const rightEnd = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff][.:!؟؛]$/

/** Right-to-left text in a left-to-right line begins and ends where left-to-right lines do. */
const beginsAtLeft = (painted: string): boolean => leftStart.test(painted) || rightEnd.test(painted)

/**
 * Reorders items from left-to-right paint order to reading order. `logical` sorts a right-to-left run whose reading
 * order the reading stage already knows.
 */
export function readingOrder<T extends { text: string }>(
  painted: readonly T[],
  logical: (stretch: T[]) => T[],
): { items: T[]; rtl: boolean } {
  let right = 0
  let left = 0
  for (const item of painted) {
    const d = directionOf(item.text)
    if (d === 'R') right += item.text.length
    else if (d === 'L' && !isDigit(item.text)) left += item.text.length
  }
  if (right === 0) return { items: [...painted], rtl: false }
  const baseRtl = right > left && !beginsAtLeft(painted.map((item) => item.text).join(''))
  // Neutral characters take the direction of their neighbours when both agree, else that of the line.
  const kinds = painted.map((item) => directionOf(item.text))
  const base: Direction = baseRtl ? 'R' : 'L'
  const resolved = kinds.map((kind, i) => {
    if (kind !== 'N') return kind
    let before = i - 1
    while (before >= 0 && kinds[before] === 'N') before--
    let after = i + 1
    while (after < kinds.length && kinds[after] === 'N') after++
    const a = kinds[before]
    const b = kinds[after]
    return a !== undefined && a === b ? a : base
  })
  const stretches: { kind: Direction; items: T[] }[] = []
  for (const [i, item] of painted.entries()) {
    const kind = elementAt(resolved, i)
    const last = stretches.at(-1)
    if (last && last.kind === kind) last.items.push(item)
    else stretches.push({ kind, items: [item] })
  }
  for (const stretch of stretches) if (stretch.kind === 'R') stretch.items = logical(stretch.items)
  if (baseRtl) stretches.reverse()
  return { items: stretches.flatMap((s) => s.items), rtl: baseRtl }
}

const brackets = ['()', '[]', '{}', '«»']
const opening = new Set(brackets.map(([a = '']) => a))
const mirrors: ReadonlyMap<string, string> = new Map(
  brackets.flatMap(([a = '', b = '']) => [
    [a, b],
    [b, a],
  ]),
)
const isWord = (text: string | undefined): boolean => /[\p{L}\p{N}]/u.test(text ?? '')

/**
 * Programs encode brackets by their glyph, which is mirrored in right-to-left text, and readers mirror some of them
 * back: a bracket opens before a word, and closes after one. Between two words it is as wrong as the others.
 */
export function mirrorBrackets(texts: readonly string[]): readonly string[] {
  if (!texts.some((t) => mirrors.has(t))) return texts
  const isWrong = texts.map((text, i) => {
    if (!mirrors.has(text)) return undefined
    const before = isWord(texts.slice(0, i).findLast((t) => !mirrors.has(t)))
    const after = isWord(texts.slice(i + 1).find((t) => !mirrors.has(t)))
    return before === after ? undefined : opening.has(text) !== after
  })
  const allWrong = isWrong.includes(true) && !isWrong.includes(false)
  return texts.map((t, i) => ((isWrong[i] ?? allWrong) ? (mirrors.get(t) ?? t) : t))
}

/** Dots, geometric shapes, stars, check boxes, dingbats, and private characters of symbol fonts. */
export const bulletSign =
  /^[\u2022\u2023\u2043\u204c\u204d\u2219\u00b7\u203b\u25a0-\u25ff\u2605\u2606\u2610-\u2612\u2666\u2713-\u2718\u2750-\u2756\u2794-\u27be\ue000-\uf8ff]$/u
