import type { OcrWord } from './ocr/words.ts'
import type { Ink } from './scan-ink.ts'

// OCR reads bullets as letters or other characters, or not at all. A small isolated spot before the first word of a
// line, as wide as high and nearly full of ink, is a bullet.

/** Minimum darkness of ink (0 to 255). */
const minDark = 110
/** In ems: size, height of its middle above the baseline, and distance before the text. */
const smallest = 0.14
const largest = 0.56
const lowest = 0.12
const highest = 0.62
const furthest = 2.6
/** Whitespace before it, in ems: a mark closer to other ink is part of a word. */
const minBefore = 0.4
/** A disc fills this share of its box, less what blur removes. */
const minFull = 0.62
/** Minimum length of a dash in ems, and its minimum ratio to the height. */
const dashLength = 0.25
const flatness = 2.5
/** Width and height differ by pixels that blur adds, and by this share. */
const roundness = 0.25
/** In ems: the height range without other ink. */
const above = 0.85
const below = 0.2

/** What OCR reads for a mark: one character, or several signs. */
const misread = /^(?:.|[^\p{L}\p{N}]{2,3})$/u

interface DotBox {
  x0: number
  x1: number
  y0: number
  y1: number
}

/** `size` and `baseline` of the line in pixels. */
export function withBullet(ink: Ink, line: readonly OcrWord[], size: number, baseline: number): OcrWord[] {
  const [first, second] = line
  if (!first) return []
  const alone = misread.test(first.text) && second !== undefined
  const text = alone ? second : first
  const spot = spotBefore(ink, text.left, size, baseline)
  const bulletText =
    spot && (isBullet(ink, spot, size, baseline) ? '•' : isDash(spot, size, baseline) ? '–' : '')
  if (!spot || !bulletText) return [...line]
  const bullet = {
    ...first,
    text: bulletText,
    left: spot.x0,
    top: spot.y0,
    width: spot.x1 - spot.x0,
    height: spot.y1 - spot.y0,
  }
  return [bullet, ...line.slice(alone ? 1 : 0)]
}

/** The nearest ink before a position, with white around it. */
function spotBefore(ink: Ink, right: number, size: number, baseline: number): DotBox | undefined {
  const rows = {
    y0: Math.max(0, Math.round(baseline - above * size)),
    y1: Math.min(ink.height, Math.round(baseline + below * size)),
  }
  const end = Math.max(0, Math.round(right - furthest * size))
  const isInked = (x: number): boolean => inkedRows(ink, x, rows).length > 0
  let x = Math.round(right) - 1
  // Letters begin a little before their box.
  while (x > end && right - x < minDarkGap && isInked(x)) x--
  while (x > end && !isInked(x)) x--
  const x1 = x + 1
  while (x > end && isInked(x)) x--
  const x0 = x + 1
  const blank = Math.max(0, Math.round(x0 - minBefore * size))
  if (x1 <= x0) return undefined
  for (let at = blank; at < x0; at++) if (isInked(at)) return undefined
  const inked = Array.from({ length: x1 - x0 }, (_, i) => inkedRows(ink, x0 + i, rows)).flat()
  const [y0, y1] = inked.reduce(([a, b], y) => [Math.min(a, y), Math.max(b, y + 1)], [Infinity, 0])
  return { x0, x1, y0, y1 }
}

/** Pixels by which the box of a word may begin inside its first letter. */
const minDarkGap = 3

function inkedRows(ink: Ink, x: number, { y0, y1 }: { y0: number; y1: number }): number[] {
  const out: number[] = []
  for (let y = y0; y < y1; y++) if ((ink.dark[y * ink.width + x] ?? 0) >= minDark) out.push(y)
  return out
}

/** Dashes are read as other signs, such as `~`. */
function isDash({ x0, x1, y0, y1 }: DotBox, size: number, baseline: number): boolean {
  const [wide, tall] = [x1 - x0, y1 - y0]
  const middle = baseline - (y0 + y1) / 2
  const isFlat = wide >= dashLength * size && wide <= 2 * largest * size && tall <= wide / flatness
  return isFlat && middle > lowest * size && middle < highest * size
}

function isBullet(ink: Ink, { x0, x1, y0, y1 }: DotBox, size: number, baseline: number): boolean {
  const [wide, tall] = [x1 - x0, y1 - y0]
  const middle = baseline - (y0 + y1) / 2
  let full = 0
  for (let x = x0; x < x1; x++) full += inkedRows(ink, x, { y0, y1 }).length
  return (
    Math.min(wide, tall) >= smallest * size &&
    Math.max(wide, tall) <= largest * size &&
    Math.abs(wide - tall) <= roundness * Math.max(wide, tall) + 1 &&
    middle > lowest * size &&
    middle < highest * size &&
    full >= minFull * wide * tall
  )
}
