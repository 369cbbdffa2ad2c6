import { describe, expect, it } from 'vitest'
import { glyphsOf, pageOf, plainFont } from '../lines/test-text-runs.ts'
import { toLatex } from '../write/formulas/latex.ts'
import { toMathml } from '../write/formulas/mathml.ts'
import { toOmml } from '../write/formulas/omml.ts'
import { findMath } from './find.ts'
import type { PlacedGlyph } from './tree.ts'

const font = { ...plainFont, name: 'CMMI10', italic: true }
const signs = (text: string, x: number, y: number): PlacedGlyph[] => glyphsOf(text, x, y, 10, { font })
const found = (...glyphs: PlacedGlyph[][]): PlacedGlyph[] => {
  const all = glyphs.flat()
  return findMath(pageOf(all), all).glyphs.filter((g) => g.math)
}
const latex = (...glyphs: PlacedGlyph[][]): string[] => found(...glyphs).map((g) => toLatex(g.math?.tree))

describe('aligned lines', () => {
  const first = [...signs('x', 100, 100), ...signs('=', 108, 100), ...signs('a', 116, 100)]
  const second = [...signs('yz', 95, 115), ...signs('=', 108, 115), ...signs('b', 116, 115)]
  const rest = [...signs('=', 108, 130), ...signs('c', 116, 130)]

  it('are one formula, whose rest may begin with the relation or a sign', () => {
    expect(latex(first, second, rest)).toEqual([
      '\\begin{aligned}x & =a \\\\ yz & =b \\\\  & =c\\end{aligned}',
    ])
    const sum = [...signs('+', 116, 115), ...signs('d', 124, 115)]
    expect(latex(first, sum)).toEqual(['\\begin{aligned}x & =a \\\\  & +d\\end{aligned}'])
  })

  it('have their columns in MathML and in Word', () => {
    const tree = found(first, second)[0]?.math?.tree
    if (!tree) throw new Error('no formula')
    expect(toMathml(tree, true)).toContain(
      '<mrow><mtable><mtr><mtd style="text-align:right"><mi>x</mi></mtd>',
    )
    expect(toOmml(tree)).toMatch(/^<m:oMath><m:m><m:mPr>.*<m:mr><m:e>.*<\/m:m><\/m:oMath>$/)
  })

  it('stand at the height of their number, and are formulas of their own where each has one', () => {
    const number = (text: string, y: number): PlacedGlyph[] => glyphsOf(text, 300, y)
    expect(found(first, second, number('(1)', 107.5))[0]?.y).toBe(107.5)
    expect(latex(first, second, number('(1)', 100), number('(2)', 115))).toHaveLength(2)
  })

  it('are not formulas far from each other, nor with relations at other places, nor cells of a table', () => {
    const far = second.map((g) => ({ ...g, y: g.y + 15 }))
    expect(latex(first, far)).toHaveLength(2)
    const aside = [...signs('y', 112, 115), ...signs('=', 120, 115), ...signs('b', 128, 115)]
    expect(latex(first, aside)).toHaveLength(2)
    expect(latex(first, second, glyphsOf('one', 200, 100), glyphsOf('two', 200, 115))).toHaveLength(2)
  })

  it('are part of no sentence', () => {
    expect(latex(first, [...second, ...glyphsOf('holds', 126, 115)])).toHaveLength(2)
  })
})
