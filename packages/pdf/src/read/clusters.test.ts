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
  it('stand on the line of their neighbours where the vowel sign has a height of its own', () => {
    const glyph = (text: string, x: number, y: number): Glyph =>
      ({ text, x, y, order: 0, size: 9, box: { x0: x, x1: x + 4, y0: y - 8, y1: y + 2 } }) as Glyph
    const word = [glyph('ح', 58, 100), glyph('ي', 52, 101.9), glyph('\u0651', 52, 101.9), glyph('ة', 44, 100)]
    const mended = mendClusters(word)
    expect(mended.map((g) => g.y)).toEqual([100, 100, 100, 100])
    expect(mended.map((g) => [g.box.x0, g.box.x1])[1]).toEqual([48, 58])
  })
})
