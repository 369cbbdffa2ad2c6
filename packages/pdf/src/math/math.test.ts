import { describe, expect, it } from 'vitest'
import type { Run } from '../blocks/block.ts'
import { mergeRuns } from '../blocks/build.ts'
import { joinLines } from '../blocks/join-lines.ts'
import { learnVocabulary } from '../blocks/vocabulary.ts'
import { styleOf } from '../lines/style.ts'
import { glyphsOf, pageOf, plainFont } from '../lines/test-text-runs.ts'
import { largeSign, pieceSign } from '../read/math-fonts/large-signs.ts'
import { isMathFont } from '../read/math-fonts/names.ts'
import { amsSign, operatorSign } from '../read/math-fonts/operators.ts'
import type { Font, Rule } from '../read/page.ts'
import { toLatex } from '../write/formulas/latex.ts'
import { toMathml } from '../write/formulas/mathml.ts'
import { toOmml } from '../write/formulas/omml.ts'
import { findMath } from './find.ts'
import { lookOf } from './item.ts'
import type { PlacedGlyph } from './tree.ts'

const letters: Font = { ...plainFont, name: 'CMMI10', italic: true }
const operators: Font = { ...plainFont, name: 'CMSY10' }
const large: Font = { ...plainFont, name: 'CMEX10' }

const rule = (at: number, from: number, to: number): Rule => ({
  horizontal: true,
  at,
  from,
  to,
  thickness: 0.4,
  color: '000000',
  weak: false,
})

/** Signs in a font for formulas; half an em wide each. */
const signs = (text: string, x: number, y = 100, size = 10, font = letters): PlacedGlyph[] =>
  glyphsOf(text, x, y, size, { font })
const digits = (text: string, x: number, y = 100, size = 10): PlacedGlyph[] => glyphsOf(text, x, y, size)
const sign = (text: string, x: number, y: number, height: number): PlacedGlyph[] =>
  glyphsOf(text, x, y, 10, { font: large, large: true, box: { x0: x, x1: x + 10, y0: y, y1: y + height } })

function formulas(glyphs: PlacedGlyph[], rules: Rule[] = []): string[] {
  return findMath(pageOf(glyphs, { rules }), glyphs)
    .glyphs.filter((g) => g.math)
    .map((g) => toLatex(g.math?.tree))
}

describe('formulas', () => {
  it('raises and lowers by size and baseline', () => {
    const power = [...signs('x', 10), ...digits('2', 15, 96, 7), ...signs('+', 22), ...signs('y', 30)]
    expect(formulas(power)).toEqual(['x^{2}+y'])
    const both = [...signs('a', 10), ...signs('i', 15, 102, 7), ...digits('3', 15, 96, 7)]
    expect(formulas(both)).toEqual(['a_{i}^{3}'])
    const tower = [...signs('e', 10), ...signs('x', 15, 96, 7), ...digits('2', 18.5, 93.5, 5)]
    expect(formulas(tower)).toEqual(['e^{x^{2}}'])
  })

  it('sees a fraction in a short rule with signs above and below, and one inside the other', () => {
    const simple = [...signs('a', 20, 93), ...signs('b', 20, 107)]
    expect(formulas(simple, [rule(97.5, 20, 25)])).toEqual(['\\frac{a}{b}'])
    const nested = [...signs('a', 20, 88), ...signs('b', 20, 96), ...signs('c', 20, 112)]
    expect(formulas(nested, [rule(90.5, 20, 25), rule(102.5, 19.8, 25.2)])).toEqual([
      '\\frac{\\frac{a}{b}}{c}',
    ])
  })

  it('leaves a page alone that has more signs than one can hold', () => {
    const page = Array.from({ length: 101 }, (_, i) => signs('x'.repeat(100), 10, 7 * i, 2)).flat()
    expect(formulas(page)).toEqual([])
    expect(formulas(page.slice(0, 100))).toHaveLength(1)
  })

  it('reads a sum where nothing else stands on the page', () => {
    expect(formulas(sign('∑', 10, 100, 20))).toEqual(['\\sum'])
  })

  it('leaves addresses in italics alone', () => {
    const slanted: Font = { ...plainFont, italic: true }
    const address = glyphsOf('http://www.kiln.example/a-b', 10, 100, 10, { font: slanted })
    const page = [...address, ...signs('\u2264', 10, 140, 10, operators), ...digits('5', 20, 140)]
    expect(formulas(page)).toEqual([])
  })

  it('leaves words of the lines above and below out of a fraction in a line of text', () => {
    const page = [
      ...glyphsOf('expected', 10, 90),
      ...signs('x', 22, 97, 7),
      ...signs('y', 22, 106, 7),
      ...glyphsOf('measured', 10, 112),
    ]
    expect(formulas(page, [rule(99, 21.8, 25.8)])).toEqual(['\\frac{x}{y}'])
  })

  it('puts an accent over the nearest letter, and takes words between signs', () => {
    const accent = [...signs('m', 10), ...signs('a', 16), ...signs('\u20d7', 16, 98)]
    expect(formulas(accent)).toEqual(['m\\vec{a}'])
    const rate = [
      ...signs('x', 10),
      ...glyphsOf('=', 17, 100),
      ...glyphsOf('rate', 25, 100),
      ...glyphsOf('+', 47, 100),
      ...signs('y', 55),
    ]
    expect(formulas(rate)).toEqual(['x=\\mathrm{rate}+y'])
  })

  it('takes no rule of a table for a fraction', () => {
    const cells = [...digits('12', 20, 93), ...digits('34', 20, 107), ...signs('x', 300, 300)]
    const page = pageOf(cells, { rules: [rule(97.5, 10, 200)] })
    expect(findMath(page, cells).rules).toHaveLength(1)
  })

  it('takes no heads and no underlined numbers for fractions', () => {
    const sum = [...signs('x', 300, 300), ...signs('+', 305, 300), ...signs('y', 310, 300)]
    const heads = [...digits('rate', 25, 93), ...digits('on', 20, 107), ...digits('off', 45, 107)]
    expect(formulas([...heads, ...sum], [rule(97.5, 20, 60)])).toEqual(['x+y'])
    const words = [...digits('score', 20, 93), ...digits('total', 20, 109)]
    expect(formulas([...words, ...sum], [rule(97.5, 20, 45)])).toEqual(['x+y'])
    const numbers = [...digits('0.83', 20, 96), ...digits('0.86', 20, 111)]
    expect(formulas([...numbers, ...sum], [rule(97.5, 20, 40)])).toEqual(['x+y'])
  })

  it('sees a root in a radical whose rule goes on, and limits over and under large signs', () => {
    const root = [...sign('√', 10, 91, 12), ...signs('x', 20), ...signs('y', 25)]
    expect(formulas(root, [rule(91, 20, 30)])).toEqual(['\\sqrt{xy}'])
    const sum = [
      ...sign('∑', 20, 90.5, 14),
      ...signs('n', 23, 88, 7),
      ...signs('i', 20.5, 112, 7),
      ...digits('=1', 24, 112, 7),
      ...signs('x', 33),
    ]
    expect(formulas(sum)).toEqual(['\\sum_{i=1}^{n}x'])
  })

  it('keeps limits wider than their sign whole, and sums to the size of their text', () => {
    const wide = [
      ...sign('∑', 40, 90.5, 14),
      ...signs('abcdefghijklmn', 20.5, 112, 7),
      ...signs('x', 53),
      ...signs('y', 60),
    ]
    expect(formulas(wide)).toEqual(['\\sum_{abcdefghijklmn}xy'])
    const enlarged = sign('∑', 20, 90.5, 14).map((g) => ({ ...g, size: 15 }))
    const letters = [...signs('xyzxyz', 33), ...signs('n', 23, 88, 7)]
    expect(formulas([...enlarged, ...letters])).toEqual(['\\sum^{n}xyzxyz'])
  })

  it('puts long arrows and tall bars together from their parts', () => {
    const arrow = [
      ...signs('A', 10),
      ...signs('−', 20, 100, 10, operators),
      ...signs('→', 24.5, 100, 10, operators),
      ...signs('B', 35),
    ]
    expect(formulas(arrow)).toEqual(['A\\longrightarrow B'])
    const bars = [98, 104].flatMap((y) => [
      ...signs('|', 10, y, 10, operators),
      ...signs('|', 22, y, 10, operators),
    ])
    expect(formulas([...bars, ...signs('x', 16)])).toEqual(['|x|'])
  })

  it('takes in what hangs together with it, and no prose', () => {
    const line = [
      ...glyphsOf('where', 10, 100),
      ...signs('f', 40),
      ...glyphsOf('(', 45, 100),
      ...signs('x', 50),
      ...glyphsOf(')=2,', 55, 100),
      ...glyphsOf('see', 80, 100),
    ]
    expect(formulas(line)).toEqual(['f(x)=2'])
    const rest = findMath(pageOf(line), line).glyphs.filter((g) => !g.math)
    expect(rest.map((g) => g.text).join('')).toBe('where,see')
  })

  it('goes on over dots and over colons with space before them', () => {
    const product = [...signs('a', 10), ...signs('·', 17, 100, 10, operators), ...signs('b', 22)]
    expect(formulas(product)).toEqual(['a\\cdot b'])
    const map = [...signs('f', 10), ...glyphsOf(':', 18, 100), ...signs('A', 26)]
    expect(formulas(map)).toEqual(['f:A'])
    const prose = [...signs('f', 10), ...glyphsOf(': so', 15, 100)]
    expect(formulas(prose)).toEqual(['f'])
  })

  it('is one formula where its signs are larger than its letters and far from each other', () => {
    const wide = [
      ...digits('=', 10, 100, 10.4),
      ...signs('abcdefgh', 18),
      ...digits('=', 62, 100, 10.4),
      ...signs('x', 70),
    ]
    expect(formulas([...signs('y', 2), ...wide])).toEqual(['y=abcdefgh=x'])
  })

  it('keeps the sign that a line ends with, and goes on in the next line', () => {
    const lineOf = (glyphs: PlacedGlyph[]): Run[] =>
      findMath(pageOf(glyphs), glyphs).glyphs.map((g) => ({
        text: g.text,
        style: styleOf(g, pageOf(glyphs)),
      }))
    const runs = lineOf([...signs('x', 10), ...glyphsOf('=', 17, 100)])
    joinLines(runs, lineOf(signs('y', 10)), learnVocabulary([]))
    expect(mergeRuns(runs).map((r) => r.style.math && toLatex(r.style.math.tree))).toEqual(['x=y'])
  })

  it('leaves bullets, marks and plain numbers alone', () => {
    const bullet = [...signs('•', 10, 100, 10, operators), ...glyphsOf('item', 20, 100)]
    expect(formulas(bullet)).toEqual([])
    const range = [...digits('5', 10), ...signs('±', 17, 100, 10, operators), ...digits('2', 24)]
    expect(formulas(range)).toEqual([])
  })

  it('knows letters by their fonts and large signs by their codes', () => {
    expect(lookOf(operators, 'L')).toBe('script')
    expect(lookOf({ ...plainFont, name: 'MSBM10' }, 'R')).toBe('double')
    expect([0x50, 0x5a, 0x00, 0xa1, 0xf8ee].map((c) => largeSign(c)?.text)).toEqual(['∑', '∫', '(', '(', '['])
    expect([0x70, 0x14, 0x32].map(operatorSign)).toEqual(['√', '≤', '∈'])
    expect([...'I>X'].map((c) => amsSign(c.charCodeAt(0)))).toEqual(['▶', '⩾', '✓'])
    expect(['⎛', '⎟', '⎣', 'x'].map((c) => pieceSign(c.charCodeAt(0))?.text)).toEqual([
      '(',
      ')',
      '[',
      undefined,
    ])
    expect([0x32, 0x36, 0x34].map((c) => largeSign(c)?.height)).toEqual([1.8, 0.6, 1.8])
  })

  it('knows the fonts for formulas of programs and packages, and that text is set in some of their families', () => {
    const named = (name: string): Font => ({ ...plainFont, name })
    for (const name of [
      'KaTeX_Math-Italic',
      'Kp--M-Italic',
      'rntxmi',
      'STIXMath-Italic',
      'BoondoxFraktur-Bold',
    ])
      expect(isMathFont(named(name)), name).toBe(true)
    for (const name of ['STIXTwoText', 'STIXGeneral-Regular', 'Kp-Regular', 'LinLibertineT'])
      expect(isMathFont(named(name)), name).toBe(false)
    expect(lookOf(named('KaTeX_AMS-Regular'), 'R')).toBe('double')
    expect(lookOf(named('KaTeX_Main-Regular'), 'R')).toBe('roman')
    expect(lookOf(named('LibertinusT1Math'), 'm')).toBe('roman')
    expect(lookOf(named('LibertinusT1Math'), '𝑚')).toBe('italic')
    expect(lookOf(plainFont, '𝑚')).toBe('italic')
    expect(lookOf(named('Fourier-Math-Letters-Italic'), 'x')).toBe('italic')
  })

  it('writes MathML and equations of Word with the same structure', () => {
    const glyphs = [...signs('x', 10), ...digits('2', 15, 96, 7), ...signs('<', 22), ...signs('y', 30)]
    const tree = findMath(pageOf(glyphs), glyphs).glyphs.find((g) => g.math)?.math?.tree
    if (!tree) throw new Error('no formula')
    expect(toMathml(tree, false)).toContain(
      '<msup><mrow><mi>x</mi></mrow><mrow><mn>2</mn></mrow></msup><mo>&lt;</mo>',
    )
    expect(toOmml(tree)).toMatch(/^<m:oMath><m:sSup><m:e>.*>x<.*<m:sup>.*>2<.*<\/m:sSup>.*&lt;.*<\/m:oMath>$/)
  })
})
