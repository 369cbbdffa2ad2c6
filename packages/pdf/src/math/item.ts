import { type Box, union } from '../geometry.ts'
import { isMathFont } from '../read/math-fonts/names.ts'
import { isBigOperator } from '../read/math-fonts/operators.ts'
import type { Rule } from '../read/page.ts'
import { lookOf } from './look.ts'
import type { PlacedGlyph } from './placed-glyph.ts'
import { type Accent, isIntegral, type MathNode } from './tree.ts'

// A glyph of a formula, or a part of it that is already understood: a fraction, a root, an accented letter.

export interface Item {
  box: Box
  /** The baseline that it belongs to; large signs and fractions stand about the height of a minus sign. */
  y: number
  size: number
  /** Of a glyph; empty for parts that are understood. */
  text: string
  node: MathNode
  glyphs: PlacedGlyph[]
  rules: Rule[]
  /** Set in a font for formulas, or made of what is. */
  isMath: boolean
  /** Its baseline is a guess from its middle. */
  isLoose: boolean
  middle: number
}

/** Height of minus signs and fraction bars above the baseline, in ems. */
export const axis = 0.25
/** Smaller than this part of the text is a script: TeX sets scripts at seven tenths, and sizes are rounded. */
export const scriptSize = 0.87
/** Signs of one line keep its baseline but for rounding, in ems. */
export const sameBaseline = 0.1
/** Where the sign that a mark hangs on begins, give or take its side bearing; in points. */
export const bearing = 0.5
/** Height of capitals and depth of tails, in ems: the extent of a symbol whose font reports a larger one. */
const heightOfSigns = 0.7
const depthOfSigns = 0.2

/** Signs of the fonts for formulas that prose uses too: bullets, marks of notes, stops. */
const prose = /^[•∗*†‡§¶©®·.,:;’'"]$/

export function itemOf(g: PlacedGlyph): Item {
  // The radical of the usual size hangs from its origin too.
  const hangs = g.large === true || (g.text === '√' && isMathFont(g.font))
  const box = g.large
    ? g.box
    : { ...g.box, y0: g.y - heightOfSigns * g.size, y1: g.y + depthOfSigns * g.size }
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

/** Several items as one. */
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
  // The arrow of vectors has the place of the tilde in the fonts of letters.
  if (item.text === '~' && item.glyphs.some((g) => /mathitalic|^cmmi|[tp]xmi/i.test(g.font.name)))
    return 'vec'
  return mark
}

export const widthOf = (items: readonly Item[]): number =>
  Math.max(...items.map((i) => i.box.x1)) - Math.min(...items.map((i) => i.box.x0))
