import { type Box, union } from '../geometry.ts'
import { isMathFont, isOperatorFont } from '../read/math-fonts/names.ts'
import { isBigOperator } from '../read/math-fonts/operators.ts'
import type { Font, Rule } from '../read/page.ts'
import { tailOfLetters } from '../typography.ts'
import { type Accent, isIntegral, type Look, type MathNode, type PlacedGlyph } from './tree.ts'

// A glyph of a formula, or a part that is already parsed: a fraction, a root, an accented letter.

export interface Item {
  box: Box
  /** The baseline that it belongs to; large symbols and fractions are centred on the math axis. */
  y: number
  size: number
  /** Text of a glyph; empty for parsed parts. */
  text: string
  node: MathNode
  glyphs: PlacedGlyph[]
  rules: Rule[]
  /** Set in a math font, or composed of such items. */
  isMath: boolean
  /** The baseline is estimated from its middle. */
  isLoose: boolean
  middle: number
}

/** Height of the math axis (minus signs and fraction bars) above the baseline, in ems. */
export const axis = 0.25
/** Smaller than this share of the text size is a script: TeX sets scripts at 70 %, and sizes are rounded. */
export const scriptSize = 0.87
/** Tolerance for positions on one line, in ems: rounding and the overshoot of signs. */
export const sameLine = 0.15
/** Tolerance for signs that are centred on others, cover them or are attached to them, in ems: half of a letter. */
export const attached = 0.4
/** Gaps in ems: narrower than the space around an operator, and wider than the space around any operator. */
export const tight = 0.13
export const apart = 0.75
/** The width of TeX's thin space after a comma and in "lim inf", or a little more. */
export const thinSpace = tight + 0.1
/** Maximum number of letters of a symbol, such as dx or max; more are a word. */
export const longestSymbol = 3
/** Side bearing of the symbol that a script is attached to, in points. */
export const bearing = 0.5
/** Cap height in ems: a font may report a larger one for its symbols. */
const heightOfSigns = 0.7

/** Characters of math fonts that prose also uses: bullets, footnote markers, punctuation. */
const prose = /^[•∗*†‡§¶©®·.,:;’'"]$/

export function itemOf(g: PlacedGlyph): Item {
  // The radical of normal size also extends downwards from its origin.
  const hangs = g.large === true || (g.text === '√' && isMathFont(g.font))
  const box = g.large
    ? g.box
    : { ...g.box, y0: g.y - heightOfSigns * g.size, y1: g.y + tailOfLetters * g.size }
  if (hangs && !g.large) {
    box.y0 = g.y
    box.y1 = g.y + g.size
  }
  return {
    box,
    y: hangs ? (box.y0 + box.y1) / 2 + axis * g.size : g.y,
    size: g.size,
    text: g.text,
    node: { kind: 'symbol', text: g.text, look: lookOf(g.font, g.text) },
    glyphs: [g],
    rules: [],
    isMath: (isMathFont(g.font) && !prose.test(g.text)) || /[\u{1d400}-\u{1d7ff}]/u.test(g.text),
    isLoose: hangs,
    middle: hangs ? (box.y0 + box.y1) / 2 : g.y - axis * g.size,
  }
}

export const isOperatorItem = (i: Item): boolean => isBigOperator(i.text) || isIntegral(i.text)

/** Merges several items into one. */
export function compose(
  parts: readonly Item[],
  node: MathNode,
  at: { y: number; size: number; isLoose: boolean },
  rules: readonly Rule[] = [],
): Item {
  return {
    box: union(parts.map((p) => p.box)),
    y: at.y,
    size: at.size,
    text: '',
    node,
    glyphs: parts.flatMap((p) => p.glyphs),
    rules: [...rules, ...parts.flatMap((p) => p.rules)],
    isMath: true,
    isLoose: at.isLoose,
    middle: at.y - axis * at.size,
  }
}

const accents: Record<string, Accent> = {
  '\u02c6': 'hat',
  '^': 'hat',
  '\u02dc': 'tilde',
  '~': 'tilde',
  '\u00af': 'bar',
  '\u02c9': 'bar',
  '\u02d9': 'dot',
  '\u00a8': 'ddot',
  '\u00b4': 'acute',
  '`': 'grave',
  '\u02c7': 'check',
  '\u02d8': 'breve',
  '\u20d7': 'vec',
  '\u0302': 'hat',
  '\u0303': 'tilde',
  '\u0304': 'bar',
  '\u0305': 'bar',
  '\u0307': 'dot',
  '\u0308': 'ddot',
  '\u0301': 'acute',
  '\u0300': 'grave',
  '\u030c': 'check',
  '\u0306': 'breve',
}

export function accentOf(item: Item): Accent | undefined {
  const mark = Object.hasOwn(accents, item.text) ? accents[item.text] : undefined
  // In math italic fonts, the code of the tilde is the vector arrow.
  if (item.text === '~' && item.glyphs.some((g) => /mathitalic|^cmmi|[tp]xmi/i.test(g.font.name)))
    return 'vec'
  return mark
}

export const widthOf = (items: readonly Item[]): number =>
  Math.max(...items.map((i) => i.box.x1)) - Math.min(...items.map((i) => i.box.x0))

const doubleName = /^msbm|^bbm|^dsrom|symbolb-|amsb|_ams-|mathdesignsymbol|black ?board|doublestruck/i
const frakturName = /^euf[mb]|fraktur/i
const scriptName = /^rsfs|^eus[mb]|script|calligraph|_caligraphic|math-cal\b/i
const uprightName =
  /-OT1-|^r[tp]xr|^cmr\d|^lmroman|_main-|_sansserif-|_typewriter-|-m-(regular|medium)|math-letters(-bold)?$|math([-,]?(regular|bold))?$/i

/** The look of a letter. Letters of symbol fonts denote sets and operators. */
export function lookOf(font: Font, text: string): Look {
  const isLetter = /^\p{L}$/u.test(text)
  if (!isLetter) return font.bold ? 'bold' : 'roman'
  // Unicode's mathematical alphanumeric symbols include their look.
  if (/[\u{1d400}-\u{1d7ff}]/u.test(text)) return 'italic'
  if (doubleName.test(font.name)) return 'double'
  if (frakturName.test(font.name)) return 'fraktur'
  const isCapital = /^[A-Z]$/.test(text)
  if (isCapital && (isOperatorFont(font) || scriptName.test(font.name))) return 'script'
  if (font.bold) return 'bold'
  if (uprightName.test(font.name)) return 'roman'
  return font.italic || isMathFont(font) ? 'italic' : 'roman'
}
