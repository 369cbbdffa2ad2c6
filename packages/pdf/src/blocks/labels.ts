import { bulletSign } from '../lines/scripts.ts'
import type { Tag } from '../read/page.ts'

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
const weakBullets = /^[-–—*∗oO·→]$/
/** Bullets that are typed with a space after them. */
const typedBullets = /^[-–—*→]$/
const numbers =
  /^(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxlcIVXLC]{1,6})[.)]\)?|\d{1,3}(?:\.\d{1,3}){1,4}\.?|\[\d{1,3}\]|[①-⑳]|（\p{L}?\p{N}{0,2}\p{L}?）|[０-９]{1,2}[．）])$/u

/**
 * Chinese, Japanese and Korean have no space after a number. LibreOffice ends a label at the start of the text, however
 * close they are.
 */
const unspacedNumber =
  /^(\(?(?:[\d０-９]{1,3}|[a-zA-Z]|[ivxlcIVXLC]{2,6})[.)、．）]|（[\d０-９]{1,2}）)(?=[\p{Lu}\p{Lo}])(?!\p{Lu}[.)])/u

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
    if (bulletSign.test(glued) && line.text.length > 1) return { kind: 'bullet', text: glued, gap: 0 }
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
  if (bulletSign.test(start) && first.length > 1) return { kind: 'bullet', text: start, gap: 0 }
  return undefined
}
