import { describe, expect, it } from 'vitest'
import type { PlacedGlyph } from '../lines/line.ts'
import { glyphsOf, pageOf, plainFont } from '../lines/test-pieces.ts'
import type { Font, Rule } from '../read/page.ts'
import { largeSign } from './extension.ts'
import { findMath } from './find.ts'
import { lookOf } from './fonts.ts'
import { toLatex } from './latex.ts'
import { toMathml } from './mathml.ts'
import { toOmml } from './omml.ts'
import { operatorSign } from './symbols.ts'

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

  it('leaves addresses in italics alone', () => {
    const slanted: Font = { ...plainFont, italic: true }
    const address = glyphsOf('http://www.kiln.example/a-b', 10, 100, 10, { font: slanted })
    const page = [...address, ...signs('\u2264', 10, 140, 10, operators), ...digits('5', 20, 140)]
    expect(formulas(page)).toEqual([])
  })

  it('takes no rule of a table for a fraction', () => {
    const cells = [...digits('12', 20, 93), ...digits('34', 20, 107), ...signs('x', 300, 300)]
    const page = pageOf(cells, { rules: [rule(97.5, 10, 200)] })
    expect(findMath(page, cells).rules).toHaveLength(1)
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
