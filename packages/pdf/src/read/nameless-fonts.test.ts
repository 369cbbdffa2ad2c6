import { describe, expect, it } from 'vitest'
import { nameFixed, namelessSign } from './nameless-fonts.ts'
import type { Font, Glyph } from './page.ts'

const font: Font = {
  name: 'Unknown',
  bold: false,
  italic: false,
  serif: false,
  mono: false,
  nameless: true,
  ascent: 0.9,
  descent: 0.2,
}
const set = (text: string, widthOf: (letter: string) => number, own: Font = font): Glyph[] =>
  [...text].map((letter) => ({
    text: letter,
    box: { x0: 0, y0: 0, x1: widthOf(letter), y1: 10 },
    x: 0,
    y: 0,
    size: 10,
    font: own,
    color: '000000',
    turn: 0,
    slanted: false,
    order: 0,
    tag: -1,
    invisible: false,
  }))

describe('fonts of bitmaps', () => {
  it('have ligatures at the codes of TeX', () => {
    expect([27, 28, 29, 30, 31].map(namelessSign)).toEqual(['ff', 'fi', 'fl', 'ffi', 'ffl'])
    expect(namelessSign(0x41)).toBeUndefined()
  })
  it('are of fixed width where narrow letters are as wide as others', () => {
    const isFixed = (glyphs: Glyph[]): boolean => nameFixed(glyphs).every((g) => g.font.mono)
    expect(isFixed(set('who', () => 5.25))).toBe(false)
    expect(isFixed(set('while (money)', () => 5.25))).toBe(true)
    expect(isFixed(set('while (money)', (letter) => ('il()'.includes(letter) ? 2.8 : 5)))).toBe(false)
    const { nameless: _, ...named } = font
    expect(isFixed(set('while (money)', () => 5.25, named))).toBe(false)
  })
})
