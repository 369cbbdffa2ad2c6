import { isCjk } from '../lines/scripts.ts'
import { isHangul } from './korean.ts'

// Letter spacing of a justified paragraph that keeps the number of lines of the source.

export interface SetLine {
  x0: number
  /** Left edge of the text after a label. */
  textX0: number
  size: number
  width: number
  /** `gap` is the width of the space before a word. */
  words: { text: string; width: number; gap: number }[]
}

interface Part {
  width: number
  characters: number
  /** No space before it: it continues a word after a hyphen. */
  glued: boolean
  /** Width of the hyphen that is shown only at the end of a line. */
  hyphen: number
  /** Last word of its line. */
  ends: boolean
}

/** Letter spacing up to this share of the font size is not visible. */
const maxSpread = 0.025
/** Maximum font size of text that is broken into lines; a file may claim any size. */
const largestSize = 80
/** Word specifies letter spacing in twentieths of a point. */
const step = 0.05
/** Rounding differences between programs, in points: the chosen spacing has to work for all of them. */
const doubts = [-0.5, 0, 0.5]
/** Word processors fit another word into a line if its spaces shrink by no more than this share. */
const shrink = 0.2
/** Width of a hyphen in most fonts, in ems. */
const hyphenWidth = 1 / 3
/** A wrong number of lines costs more than any number of words on a wrong line. */
const lineWeight = 1000

export function fittingLetterSpacing(
  lines: readonly SetLine[],
  { text, label }: { text: string; label: string },
  space: number,
  edge: number,
): number {
  const parts = lines.length < 2 ? undefined : partsOf(lines, text, label)
  if (!parts) return 0
  const [first, second] = lines as [SetLine, SetLine]
  const rooms = { first: edge - (label ? first.textX0 : first.x0), other: edge - second.x0 }
  const steps = Math.floor((maxSpread * Math.min(first.size, largestSize)) / step)
  let best = 0
  let minCost = Infinity
  for (let i = 0; i <= 2 * steps; i++) {
    // Tries values in order of magnitude, alternating between wider and narrower.
    const spread = step * (i % 2 === 1 ? 1 : -1) * Math.ceil(i / 2)
    const cost = doubts.reduce(
      (sum, doubt) => sum + misfit(parts, rooms, space, spread, doubt, lines.length),
      0,
    )
    if (cost >= minCost) continue
    minCost = cost
    best = spread
  }
  return best
}

function misfit(
  parts: readonly Part[],
  rooms: { first: number; other: number },
  space: number,
  spread: number,
  doubt: number,
  lines: number,
): number {
  let count = 1
  let misplaced = 0
  let used = 0
  let spaces = 0
  for (const [i, part] of parts.entries()) {
    const width = part.width + part.characters * spread
    const gap = part.glued ? -(parts[i - 1]?.hyphen ?? 0) : space + spread
    const room = (count === 1 ? rooms.first : rooms.other) + doubt
    const gained = Math.max(0, gap)
    const spare = shrink * (spaces + gained)
    const breaks = i > 0 && used + gap + width > room + spare
    if (i > 0 && breaks !== parts[i - 1]?.ends) misplaced++
    used = breaks || i === 0 ? width : used + gap + width
    spaces = breaks || i === 0 ? 0 : spaces + gained
    if (breaks) count++
  }
  return misplaced + lineWeight * Math.abs(count - lines)
}

interface Word {
  text: string
  width: number
  gap: number
  ends: boolean
}

/** Splits the joined text at the words of the lines; undefined if a word is not found. */
function partsOf(lines: readonly SetLine[], text: string, label: string): Part[] | undefined {
  const words: Word[] = lines.flatMap((l) =>
    l.words.map((w, i) => ({ ...w, ends: i === l.words.length - 1 })),
  )
  const hyphen = hyphenWidth * (lines[0]?.size ?? 0)
  if (label && words[0]?.text === label) words.shift()
  const tokens = text.split(/\s+/).filter(Boolean)
  if (label && tokens[0] === label) tokens.shift()
  const out: Part[] = []
  let at = 0
  for (const token of tokens)
    for (let done = 0; done < token.length; at++) {
      const word = words[at]
      if (!word) return undefined
      const own = token.startsWith(word.text, done) ? word.text.length : brokenLength(word, token, done)
      if (own === 0) return undefined
      const isBroken = own < word.text.length
      out.push(...splitWord(word, done > 0, words[at - 1]?.ends === true, isBroken ? hyphen : 0))
      done += own
    }
  return out
}

/** Length of the word without the hyphen at the end of its line. */
function brokenLength({ text, ends }: Word, token: string, from: number): number {
  const length = text.length - 1
  return ends && from + length < token.length && token.startsWith(text.slice(0, -1), from) ? length : 0
}

/** Chinese and Japanese text can be broken after any character. */
function splitWord(word: Word, glued: boolean, begins: boolean, hyphen: number): Part[] {
  const characters = isCjk(word.text) && !isHangul(word.text) ? [...word.text] : [word.text]
  const width = word.width / characters.length
  return characters.map((text, i) => ({
    width: i === 0 && glued && !begins ? width + word.gap : width,
    characters: text.length,
    glued: glued || i > 0,
    hyphen: i === characters.length - 1 ? hyphen : 0,
    ends: word.ends && i === characters.length - 1,
  }))
}
