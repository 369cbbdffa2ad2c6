import { area, type Box, median } from '../geometry.ts'
import { pointsPerInch, usualSize } from '../typography.ts'
import type { OcrWord } from './ocr/words.ts'
import type { Glyph } from './page.ts'

/** Pixels per point; a higher resolution does not improve OCR. */
const finest = 200 / pointsPerInch
/** Pixels of an A4 sheet at the lowest resolution that is read well, 144 dots per inch, and of an A2 sheet at the highest. */
const minDots = 2_000_000
const maxDots = 16_000_000

/**
 * The resolution at which a page is rendered for OCR. Some scans use one point per pixel: their pages are many times
 * larger than paper, and OCR of letters that are larger than in the scan takes longer and is not better. `own` is the scan's resolution in
 * pixels per point.
 */
export function dotsFor(box: Box, own = finest): number {
  const dotsOf = (whole: number): number => Math.sqrt(whole / Math.max(1, area(box)))
  return Math.min(finest, Math.max(own, dotsOf(minDots)), dotsOf(maxDots))
}

// The letters of OCR words decide which share of the font size their ink covers.

export interface ScanLine {
  words: readonly OcrWord[]
  bold: boolean
}

export interface SizedLine extends ScanLine {
  /** In pixels. */
  size: number
}

/** How far the ink of a word reaches above and below the baseline, in ems, averaged over common fonts. */
interface Extent {
  above: number
  below: number
}

/** Letters without ascenders, the letter t, letters with ascenders; descenders, and a comma's tail. */
const low = 0.51
const middle = 0.64
const tall = 0.71
const tail = 0.21
const shortTail = 0.14
const hasMiddle = /t/
const hasTall = /[\p{Lu}\p{N}bdfhijklßбфβδζθλξφψ!?&/()[\]{}|%$£€@]|[\u0300-\u0315]/u
const hasTail = /[gjpqyруфβγζημξρφχψ|]|[\u0323-\u0328]/u
const hasShortTail = /[дцщQ,;()[\]{}@$]/
const letters = /[\p{L}\p{N}]/u

export const hasLetters = (text: string): boolean => letters.test(text)

/** Scripts whose words are all about equally high. */
export const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const extents: readonly (readonly [script: RegExp, extent: Extent])[] = [
  [ideographs, { above: 0.82, below: 0.1 }],
  [/\p{Script=Hebrew}/u, { above: 0.68, below: 0 }],
  [/\p{Script=Arabic}/u, { above: 0.73, below: 0.27 }],
  [/[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Thai}]/u, { above: 0.87, below: 0 }],
]

function extentOf(text: string): Extent {
  const ofScript = extents.find(([script]) => script.test(text))?.[1]
  if (ofScript) return ofScript
  const parts = text.normalize('NFD')
  return {
    above: hasTall.test(parts) ? tall : hasMiddle.test(parts) ? middle : low,
    below: hasTail.test(parts) ? tail : hasShortTail.test(parts) ? shortTail : 0,
  }
}

export const tailOf = (text: string): number => extentOf(text).below

function inkOf(text: string): number {
  const { above, below } = extentOf(text)
  return above + below
}

/** Punctuation alone does not show the size. */
export function reliable(words: readonly OcrWord[]): readonly OcrWord[] {
  const own = words.filter((w) => hasLetters(w.text))
  return own.length > 0 ? own : words
}

/** In pixels. */
export function sizeOf(words: readonly OcrWord[]): number {
  const sizes = reliable(words).flatMap((w) =>
    Array.from({ length: w.text.length }, () => w.height / inkOf(w.text)),
  )
  return sizes.length > 0 ? median(sizes) : usualSize
}

/** Lines of one paragraph have one size; the first may be a heading, which differs by more than this factor. */
const sameParagraph = 1.2
/** A line of fewer letters, unless it is the first, may differ by chance. */
const sureLetters = 12
const lettersIn = (words: readonly OcrWord[]): number => words.reduce((sum, w) => sum + w.text.length, 0)

export function withSizes(lines: readonly ScanLine[]): SizedLine[] {
  const keyOf = ({ words, bold }: ScanLine): string => `${words[0]?.line.replace(/\.\d+$/, '')} ${bold}`
  const groups = new Map<string, number[]>()
  const own = lines.map((l) => sizeOf(l.words))
  for (const [i, line] of lines.entries()) {
    const sizes = groups.get(keyOf(line)) ?? []
    if (sizes.length === 0) groups.set(keyOf(line), sizes)
    sizes.push(own[i] as number)
  }
  const seen = new Set<string>()
  return lines.map((line, i) => {
    const key = keyOf(line)
    const size = own[i] as number
    const common = median(groups.get(key) ?? [size])
    const isFirst = !seen.has(key)
    seen.add(key)
    const differs = size > sameParagraph * common || common > sameParagraph * size
    const isSure = isFirst || lettersIn(line.words) >= sureLetters
    return { ...line, size: isSure && differs ? size : common }
  })
}

/** Range of sizes of one look: from our OCR, and from the ink alone for text layers of other programs. */
export const ofLetters = { smallest: 0.9, largest: 1.12 }
const ofInk = { smallest: 0.72, largest: 1.3 }

/** Sets sizes within this range to the same value, the most common sizes first. */
export function settleSizes(glyphs: readonly Glyph[], { smallest, largest } = ofInk): Glyph[] {
  const counts = new Map<number, number>()
  for (const g of glyphs) if (g.text.trim() && g.size > 0) counts.set(g.size, (counts.get(g.size) ?? 0) + 1)
  const settled = new Map<number, number>()
  for (const [usual] of [...counts].sort((a, b) => b[1] - a[1])) {
    if (settled.has(usual)) continue
    for (const size of counts.keys())
      if (!settled.has(size) && size > smallest * usual && size < largest * usual) settled.set(size, usual)
  }
  return glyphs.map((g) => ({ ...g, size: settled.get(g.size) ?? g.size }))
}
