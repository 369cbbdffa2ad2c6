import { describe, expect, it } from 'vitest'
import { mendClusters } from './clusters.ts'
import type { Glyph } from './page.ts'

const read = (...letters: [text: string, x: number][]): string =>
  mendClusters(letters.map(([text, x]) => ({ text, x, y: 0, order: 0 }) as Glyph))
    .map((g) => g.text)
    .join('')

describe('glyphs that stand for several letters', () => {
  it('give a letter before its vowel signs, and lam before alef', () => {
    expect(read(['ك', 9], ['\u0651', 5], ['ل', 5])).toBe('كل\u0651')
    expect(read(['ا', 5], ['\u064b', 5], ['ل', 5])).toBe('ل\u064bا')
  })
  it('leave letters of their own where they are', () => {
    expect(read(['ا', 9], ['ل', 5])).toBe('ال')
    expect(read(['ل', 5], ['\u0651', 5])).toBe('ل\u0651')
  })
})
