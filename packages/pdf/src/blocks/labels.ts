import { bulletSign } from '../lines/scripts.ts'
import type { Tag } from '../read/page.ts'
import { minPattern } from '../tolerances.ts'

// List labels: bullets, and numbers or letters with a dot or a bracket.

/** A dash is a bullet, and a letter alone a label, if a gap wider than a word space follows it, in ems. */
const bulletGap = 0.3
/** In characters: "(iii)". */
const longestLabel = 5

export interface Label {
  /** `typed`: a dash, an asterisk or an arrow, which may also be part of a sentence. */
  kind: 'bullet' | 'number' | 'typed'
  text: string
  /** Width of the gap after the label, in points. */
  gap: number
}

/** Bullets only if a gap follows: they are ordinary characters too. */
export const weakBullets = /^[-–—*∗oO·→]$/
/** Bullets that are typed with a space after them. */
const typedBullets = /^[-–—*→]$/
const numbers =
  /^(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxlcIVXLC]{1,6})[.)]\)?|\d{1,3}(?:\.\d{1,3}){1,4}\.?|\[\d{1,3}\]|[①-⑳]|（\p{L}?\p{N}{0,2}\p{L}?）|[０-９]{1,2}[．）])$/u

/** Without a space after the number, as in East Asian text, and in LibreOffice if the label fills its indent. */
const unspacedNumber =
  /^(\(?(?:[\d０-９]{1,3}|[a-zA-Z]|[ivxlcIVXLC]{2,6})[.)、．）]|（[\d０-９]{1,2}）)(?=[\p{Lu}\p{Lo}])(?!\p{Lu}[.)])/u

/** Stars or circles in a row, as in ★★★★☆. */
const isRating = (text: string): boolean =>
  text.length >= minPattern && [...text.slice(0, minPattern)].every((sign) => bulletSign.test(sign))

export function readLabel(line: {
  text: string
  firstGap: number
  size: number
  tag?: Tag | undefined
}): Label | undefined {
  const m = /^(\S+)([\s\t]+)\S/u.exec(line.text)
  const first = m?.[1]
  const unspaced = unspacedNumber.exec(line.text)?.[1]
  if (unspaced !== undefined) return { kind: 'number', text: unspaced, gap: 0 }
  if (first === undefined) {
    // A bullet without a space before its text.
    const glued = line.text.slice(0, 1)
    if (bulletSign.test(glued) && line.text.length > 1 && !isRating(line.text))
      return { kind: 'bullet', text: glued, gap: 0 }
    return undefined
  }
  const gap = line.firstGap
  if (bulletSign.test(first)) return { kind: 'bullet', text: first, gap }
  if (weakBullets.test(first) && gap > bulletGap * line.size) return { kind: 'bullet', text: first, gap }
  if (typedBullets.test(first)) return { kind: 'typed', text: first, gap }
  if (/^[a-zA-Z]$/.test(first) && gap > bulletGap * line.size) return { kind: 'number', text: first, gap }
  if (numbers.test(first)) return { kind: 'number', text: first, gap }
  // Tagged as a label, and short enough.
  if (line.tag?.type === 'Lbl' && first.length <= longestLabel) return { kind: 'bullet', text: first, gap }
  const start = first.slice(0, 1)
  if (bulletSign.test(start) && first.length > 1 && !isRating(first))
    return { kind: 'bullet', text: start, gap: 0 }
  return undefined
}

// Parses number labels: format, value and notation.

export interface NumberLabel {
  format: 'decimal' | 'lowerLetter' | 'upperLetter' | 'lowerRoman' | 'upperRoman'
  value: number
  /** Characters before and after the number. */
  prefix: string
  suffix: string
}

/** The code point before "a". */
const beforeA = 0x60
const romanDigits: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 }

export function romanValue(text: string): number | undefined {
  const lower = text.toLowerCase()
  if (!/^(?:x{0,3})(?:ix|iv|v?i{0,3})$|^l?x{0,3}(?:ix|iv|v?i{0,3})$/.test(lower) || lower === '')
    return undefined
  let sum = 0
  for (let i = 0; i < lower.length; i++) {
    const v = romanDigits[lower[i] as string] as number
    const next = romanDigits[lower[i + 1] as string] ?? 0
    sum += v < next ? -v : v
  }
  return sum
}

/** All interpretations of a label: `i.` is a letter and a Roman numeral. */
export function readNumber(label: string): NumberLabel[] {
  // Chinese and Japanese use full-width digits and brackets.
  const m = /^([([]?)((?:\d{1,3}\.)*)(\d{1,3}|[A-Za-z]|[ivxlcIVXLC]{2,6})([.)\]、]?\)?)$/.exec(
    label.normalize('NFKC'),
  )
  if (!m) return []
  const [, open = '', parents = '', core = '', close = ''] = m
  const prefix = open + parents
  if (/^\d+$/.test(core))
    return parents === '' && close === ''
      ? []
      : [{ format: 'decimal', value: Number(core), prefix, suffix: close }]
  // A bare `o` is a bullet.
  if (close === '' && (core.length > 1 || /o/i.test(core))) return []
  const out: NumberLabel[] = []
  const upper = core === core.toUpperCase()
  if (core.length === 1)
    out.push({
      format: upper ? 'upperLetter' : 'lowerLetter',
      value: core.toLowerCase().charCodeAt(0) - beforeA,
      prefix,
      suffix: close,
    })
  const roman = romanValue(core)
  if (roman !== undefined)
    out.push({ format: upper ? 'upperRoman' : 'lowerRoman', value: roman, prefix, suffix: close })
  return out
}

/** Whether the second number follows the first, in the same notation. */
export const isNext = (a: NumberLabel, b: NumberLabel): boolean =>
  a.format === b.format && a.prefix === b.prefix && a.suffix === b.suffix && b.value === a.value + 1
