import { describe, expect, it } from 'vitest'
import { glyphsOf } from '../lines/test-text-runs.ts'
import { composeAccents } from './accents.ts'

const textOf = (glyphs: Parameters<typeof composeAccents>[0]): string =>
  composeAccents(glyphs)
    .map((g) => g.text)
    .join('')

describe('accents that are glyphs of their own', () => {
  it('go to the letter that they stand over, whatever the order', () => {
    expect(textOf([...glyphsOf('´', 15, 100), ...glyphsOf('Jan', 10, 100)])).toBe('Ján')
    expect(textOf([...glyphsOf('Jan', 10, 100), ...glyphsOf('ˆ', 15, 100)])).toBe('Jân')
    expect(textOf([...glyphsOf('ı', 10, 100), ...glyphsOf('´', 10, 98)])).toBe('í')
  })

  it('stay where they stand over no letter of their font, and over single letters as formulas have them', () => {
    expect(textOf([...glyphsOf('a', 10, 100), ...glyphsOf('´', 15, 100)])).toBe('a´')
    expect(textOf([...glyphsOf('u', 10, 100), ...glyphsOf('ˆ', 10, 100)])).toBe('uˆ')
    expect(textOf([...glyphsOf('q', 10, 100), ...glyphsOf('´', 10, 100)])).toBe('q´')
  })
})
