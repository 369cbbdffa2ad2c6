import { elementAt } from '../element-at.ts'
import { type Component, componentsOf } from './ocr/components.ts'
import { type OcrWord, rightToLeft } from './ocr/words.ts'
import { baselineOf } from './scan-glyphs.ts'
import type { Ink } from './scan-ink.ts'
import { likeRule } from './scan-marks.ts'
import { sizeOf } from './scan-sizes.ts'

// OCR reads bullets as letters or other characters, as lines of their own, or not at all. A small isolated spot before
// the first word of a line, as wide as high and nearly full of ink, is a bullet, and so is one that noise has damaged at
// the place of another bullet.

/** Minimum darkness of ink (0 to 255). */
const minDark = 110
/** In ems: size (a disc is not higher than capitals), height of its middle above the baseline, and distance before the text. */
const smallest = 0.14
const largest = 0.71
const lowest = 0.12
const highest = 0.62
const furthest = 2.6
/** Whitespace before it, in ems: a mark closer to other ink is part of a word. */
const minBefore = 0.4
/** A disc fills this share of its box, less what blur removes. */
const minFull = 0.62
/**
 * A hollow bullet is a ring around an empty middle (a third of its box). Unlike the letter o it is lower than letters
 * without ascenders (0.51 em), and twice a word space before the text; in ems.
 */
const [largestRing, ringGap, middlePart] = [0.46, 0.5, 1 / 3]
/** Minimum and maximum length of a dash in ems, and its minimum ratio to the height. */
const [dashLength, longestDash] = [0.25, 1.12]
const flatness = 2.5
/** Width and height differ by pixels that blur adds, and by this share. */
const roundness = 0.25
/** In ems: the height range without other ink. */
const above = 0.85
const below = 0.2
/** Pixels by which the box of a word may begin inside its first letter. */
const minDarkGap = 3
/** Pixels by which boxes of equal marks differ: noise on each side. */
const roundedBy = 2
/** On a skewed page, the number of words that give the height of a line's beginning. */
const wordsAtStart = 3
/** In ems: texts of one list begin within this distance. */
const aligned = 0.5

/** What OCR reads for a mark: one character, or several signs. */
const misread = /^(?:.|[^\p{L}\p{N}]{2,3})$/u

/** The signs `;`, `#` and `%` begin comments of code. */
const signBefore = /^[^\p{L}\p{N};#%] \p{L}/u

interface Mark {
  size: number
  spot: Component
  /** Position of the text after it. */
  textAt: number
  /** The bullet; empty if the spot alone does not show that it is one. */
  text: string
  /** Whether the first word of the line is what the mark was read as. */
  isRead: boolean
  /** The sign before letters that it was read as: one that lines of a list repeat is a bullet, such as an arrow. */
  sign: string
}

/** The lines with their bullets. */
export function withBullets(ink: Ink, lines: readonly (readonly OcrWord[])[]): OcrWord[][] {
  const marks = lines.map((line) => markOf(ink, line))
  const isRepeated = (mark: Mark): boolean =>
    marks.some((other) => other && other !== mark && other.sign === mark.sign && isSame(mark, other))
  const sure = marks.flatMap((mark) => {
    const text = mark?.text || (mark?.sign && isRepeated(mark) ? '•' : '')
    return mark && text ? [{ ...mark, text }] : []
  })
  const bullets = marks.map((mark) => {
    const text = mark && sure.find((other) => isSame(mark, other))?.text
    return mark && text ? { ...mark, text: mark.text || text } : undefined
  })
  return lines.map((line, i) => {
    const own = bullets[i]
    // A bullet that is read as a line of its own is also before the text of another line.
    if (!own)
      return line.length === 1 && bullets.some((b) => b && isOn(b.spot, elementAt(line, 0))) ? [] : [...line]
    const { x0, x1, y0, y1 } = own.spot
    const box = { left: x0, top: y0, width: x1 - x0, height: y1 - y0 }
    return [{ ...elementAt(line, 0), ...box, text: own.text }, ...line.slice(own.isRead ? 1 : 0)]
  })
}

/** Whether marks are equal and at the same place before the text. */
function isSame(a: Mark, b: Mark): boolean {
  const isNear = (x: number, y: number): boolean => Math.abs(x - y) <= 2 * roundedBy
  return (
    isNear(a.spot.x1 - a.spot.x0, b.spot.x1 - b.spot.x0) &&
    isNear(a.spot.y1 - a.spot.y0, b.spot.y1 - b.spot.y0) &&
    isNear(a.textAt - a.spot.x0, b.textAt - b.spot.x0) &&
    Math.abs(a.textAt - b.textAt) <= aligned * a.size
  )
}

function isOn({ x0, x1, y0, y1 }: Component, { text, left, top, width, height }: OcrWord): boolean {
  const [x, y] = [left + width / 2, top + height / 2]
  return misread.test(text) && x > x0 && x < x1 && y > y0 && y < y1
}

/** The spot before a line, if it may be a bullet. */
function markOf(ink: Ink, line: readonly OcrWord[]): Mark | undefined {
  const [first, second] = line
  if (!first) return undefined
  const size = sizeOf(line)
  const baseline = baselineOf(line.slice(0, wordsAtStart), size)
  // The first word may be the mark.
  const texts = line.slice(line.length > 1 ? 1 : 0)
  const back = texts.filter(({ text }) => rightToLeft.test(text)).length > texts.length / 2
  const before = (word: OcrWord): Component | undefined =>
    spotBefore(ink, back ? word.left + word.width : word.left, { size, baseline, back })
  const behind = second && before(second)
  const isRead = behind !== undefined && (misread.test(first.text) || isAll(first, behind))
  const spot = isRead ? behind : second && misread.test(first.text) ? undefined : before(first)
  if (!spot) return undefined
  const { left, width } = second && isRead ? second : first
  const textAt = back ? left + width : left
  const isSign =
    isRead && second && signBefore.test(`${first.text} ${second.text}`) && !likeRule.test(first.text)
  const sign = isSign ? first.text : ''
  return { size, spot, textAt, text: bulletOf(spot, { ink, size, baseline, textAt }), isRead, sign }
}

/** Whether the spot is all ink of a word. */
const isAll = ({ left, width }: OcrWord, { x0, x1 }: Component): boolean =>
  Math.abs(left - x0) <= roundedBy && Math.abs(left + width - x1) <= roundedBy

/** The only spot between a position and the whitespace before it, except for specks. */
function spotBefore(
  ink: Ink,
  at: number,
  { size, baseline, back }: { size: number; baseline: number; back: boolean },
): Component | undefined {
  const reach = Math.round((furthest + minBefore) * size)
  const window = {
    x0: Math.max(0, Math.round(back ? at : at - reach)),
    x1: Math.min(ink.width, Math.round(back ? at + reach : at)),
    y0: Math.max(0, Math.round(baseline - above * size)),
    y1: Math.min(ink.height, Math.round(baseline + below * size)),
  }
  const [nearest, next] = spotsIn(ink, window)
    .filter((spot) => Math.max(spot.x1 - spot.x0, spot.y1 - spot.y0) >= smallest * size)
    .map((spot) => ({
      spot,
      from: back ? spot.x0 - at : at - spot.x1,
      to: back ? spot.x1 - at : at - spot.x0,
    }))
    .filter(({ from }) => from >= minDarkGap)
    .toSorted((a, b) => a.from - b.from)
  if (!nearest || nearest.to > furthest * size) return undefined
  return next && next.from < nearest.to + minBefore * size ? undefined : nearest.spot
}

type Window = Pick<Component, 'x0' | 'x1' | 'y0' | 'y1'>

/** The connected components of a part of the page. */
function spotsIn(ink: Ink, { x0, x1, y0, y1 }: Window): Component[] {
  const [width, height] = [Math.max(0, x1 - x0), Math.max(0, y1 - y0)]
  const isInk = new Uint8Array(width * height)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0, from = (y0 + y) * ink.width + x0; x < width; x++, at++, from++)
      isInk[at] = Number((ink.dark[from] as number) >= minDark)
  return [...componentsOf(isInk, width)].map((spot) => ({
    ...{ x0: spot.x0 + x0, x1: spot.x1 + x0, y0: spot.y0 + y0, y1: spot.y1 + y0 },
    ink: spot.ink,
  }))
}

interface Surroundings {
  ink: Ink
  size: number
  baseline: number
  textAt: number
}

function bulletOf(spot: Component, { ink, size, baseline, textAt }: Surroundings): string {
  if (isDash(spot, size, baseline)) return '–'
  if (!isRound(spot, size, baseline)) return ''
  const [wide, tall] = [spot.x1 - spot.x0, spot.y1 - spot.y0]
  if (!isHollow(ink, spot)) return spot.ink >= minFull * wide * tall ? '•' : ''
  const gap = Math.max(spot.x0 - textAt, textAt - spot.x1)
  return Math.max(wide, tall) <= largestRing * size && gap >= ringGap * size ? '◦' : ''
}

function isHollow(ink: Ink, { x0, x1, y0, y1 }: Component): boolean {
  const part = (1 - middlePart) / 2
  const [dx, dy] = [Math.ceil(part * (x1 - x0)), Math.ceil(part * (y1 - y0))]
  const middle = { x0: x0 + dx, x1: x1 - dx, y0: y0 + dy, y1: y1 - dy }
  return middle.x1 > middle.x0 && middle.y1 > middle.y0 && spotsIn(ink, middle).length === 0
}

const isAtMiddle = ({ y0, y1 }: Component, size: number, baseline: number): boolean => {
  const middle = baseline - (y0 + y1) / 2
  return middle > lowest * size && middle < highest * size
}

/** Dashes are read as other signs, such as `~`. */
function isDash(spot: Component, size: number, baseline: number): boolean {
  const [wide, tall] = [spot.x1 - spot.x0, spot.y1 - spot.y0]
  const isFlat = wide >= dashLength * size && wide <= longestDash * size && tall <= wide / flatness
  return isFlat && isAtMiddle(spot, size, baseline)
}

function isRound(spot: Component, size: number, baseline: number): boolean {
  const [wide, tall] = [spot.x1 - spot.x0, spot.y1 - spot.y0]
  return (
    Math.min(wide, tall) >= smallest * size &&
    Math.max(wide, tall) <= largest * size &&
    Math.abs(wide - tall) <= roundness * Math.max(wide, tall) + 1 &&
    isAtMiddle(spot, size, baseline)
  )
}
