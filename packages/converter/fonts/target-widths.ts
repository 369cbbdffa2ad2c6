import type { Characters } from './characters.ts'
import type { Line } from './face.ts'
import type { Box, Metrics } from './glyph-widths.ts'

// How wide a glyph has to be. What the table of metrics knows, holds. Of the rest:
// - an accented letter is as wide as its letter;
// - a letter of which only the regular face's width is known is to the base's letter as it is there;
// - any other glyph is to the base's glyph as most known ones of its kind are.

/** "a509 b588 ␠274 F0B7=460": widths in thousandths of an em by character, ␠ for a space, or by code. */
export function parseWidths(text = ''): Map<number, number> {
  const widths = new Map<number, number>()
  for (const word of text.split(' ').filter(Boolean)) {
    const [, code, listed] = /^([0-9A-F]{4})=(.+)$/.exec(word) ?? []
    const [character = ''] = word
    if (code) widths.set(Number.parseInt(code, 16), Number(listed) / 1000)
    else
      widths.set(
        character === '␠' ? 0x20 : (character.codePointAt(0) ?? 0),
        Number(word.slice(character.length)) / 1000,
      )
  }
  return widths
}

/** Known metrics of one face. */
export interface Face {
  line: Line
  xHeight?: number
  /** Width of every glyph, in thousandths of an em. */
  fixed?: number
  /** Width of every full-width character. */
  wide?: number | undefined
  widths?: string
  /** "F0B7=52,103,409,461": left, bottom, right and top of an outline by code, in thousandths of an em. */
  boxes?: string
  /** The font of the same design whose widths are those of the characters that are not known. */
  like?: string
}

/** Metrics of a face of the base font. */
export interface Base {
  em: number
  characters: Characters
  metrics: readonly Metrics[]
}

/** Left, bottom, right and top by code, in ems. */
export const parseBoxes = (text = ''): [number, Box][] =>
  [...text.matchAll(/([0-9A-F]{4})=(\S+)/g)].map(([, code = '', listed = '']) => {
    const [left = 0, bottom = 0, right = 0, top = 0] = listed.split(',').map((each) => Number(each) / 1000)
    return [Number.parseInt(code, 16), [left, bottom, right, top]]
  })

/** The boxes of `setGlyphWidths`. */
export const targetBoxes = ({ boxes }: Face, { em, characters }: Base): Map<number, Box> =>
  new Map(
    parseBoxes(boxes).flatMap(([code, [left, bottom, right, top]]) => {
      const glyph = characters.get(code)
      return glyph === undefined ? [] : [[glyph, [left * em, bottom * em, right * em, top * em]]]
    }),
  )

/** How wide a character is beside the base's; of any that is not known, as most are. */
export interface Model {
  ratio(code: number | undefined): number
}

/**
 * The function that `setGlyphWidths` asks. `base` has `em`, `characters` and `metrics` of the base's face; `model` is
 * what `learn` made of the regular face, if this is another.
 */
export function targetWidths(
  face: Face,
  base: Base,
  model?: Model,
): (glyph: number, advance: number) => number {
  const known = parseWidths(face.widths)
  const learnt = learn(known, base)
  const correction = model
    ? median([...known.keys()].map((code) => ratioOf(code, known, base) / model.ratio(code)))
    : 1
  const ratio = (code: number | undefined) => (model ? model.ratio(code) * correction : learnt.ratio(code))
  const byGlyph = new Map<number, number>()
  for (const [code, glyph] of base.characters) {
    const advance = base.metrics[glyph]?.advance ?? 0
    if (advance === 0) continue
    const width = widthOf(code, known, face) ?? (ratio(code) * advance) / base.em
    // A glyph that several characters share is as wide as the one that is known.
    if (!byGlyph.has(glyph) || known.has(code)) byGlyph.set(glyph, width * base.em)
  }
  const others = ratio(undefined)
  return (glyph, advance) =>
    byGlyph.get(glyph) ?? (advance === 0 ? 0 : face.fixed ? (face.fixed / 1000) * base.em : advance * others)
}

function widthOf(code: number, known: ReadonlyMap<number, number>, face: Face): number | undefined {
  if (face.fixed) return face.fixed / 1000
  if (face.wide && isWide(code)) return face.wide / 1000
  return known.get(code) ?? known.get(letterOf(code) ?? code)
}

export function learn(known: ReadonlyMap<number, number>, base: Base): Model {
  const kinds = new Map<string, number[]>()
  for (const code of known.keys()) {
    const ratio = ratioOf(code, known, base)
    if (!Number.isFinite(ratio)) continue
    kinds.set(kindOf(code), [...(kinds.get(kindOf(code)) ?? []), ratio])
  }
  const all = median([...kinds.values()].flat())
  const medians = new Map([...kinds].map(([kind, ratios]) => [kind, median(ratios)]))
  return {
    ratio(code) {
      if (code === undefined) return all
      const own = ratioOf(code, known, base)
      if (Number.isFinite(own)) return own
      const letter = ratioOf(letterOf(code) ?? code, known, base)
      return Number.isFinite(letter) ? letter : (medians.get(kindOf(code)) ?? all)
    },
  }
}

function ratioOf(
  code: number,
  known: ReadonlyMap<number, number>,
  { em, characters, metrics }: Base,
): number {
  const advance = metrics[characters.get(code) ?? -1]?.advance ?? 0
  return advance === 0 ? Number.NaN : ((known.get(code) ?? Number.NaN) * em) / advance
}

function letterOf(code: number): number | undefined {
  // A space that does not break, and a hyphen that is shown only at the end of a line.
  if (code === 0xa0) return 0x20
  if (code === 0xad) return 0x2d
  return String.fromCodePoint(code).normalize('NFD').codePointAt(0)
}

function kindOf(code: number): string {
  const character = String.fromCodePoint(code)
  if (/\p{Lu}/u.test(character)) return 'capital'
  if (/\p{Ll}/u.test(character)) return 'small'
  return /\p{N}/u.test(character) ? 'digit' : 'other'
}

/** East Asian characters that fill a square. */
const isWide = (code: number) =>
  (code >= 0x3000 && code <= 0x9fff) ||
  (code >= 0xac00 && code <= 0xd7a3) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xff01 && code <= 0xff60)

function median(values: readonly number[]): number {
  const sorted = [...values].filter(Number.isFinite).sort((a, b) => a - b)
  return sorted.length === 0 ? 1 : (sorted[Math.floor(sorted.length / 2)] as number)
}
