import { describe, expect, it } from 'vitest'
import { glyphsOf } from '../lines/test-pieces.ts'
import { takeBullets } from './bullets.ts'
import type { Drawings } from './drawings.ts'

const drawn = (...boxes: [x0: number, y0: number, x1: number, y1: number][]): Drawings => ({
  rules: [],
  fills: [],
  art: boxes.map(([x0, y0, x1, y1], i) => ({ box: { x0, y0, x1, y1 }, object: i, order: i })),
  images: [],
  texts: [],
  objects: boxes.length,
})

describe('bullets that were drawn', () => {
  const line = glyphsOf('item', 30, 100)

  it('become letters where they stand before a line', () => {
    const { glyphs, drawings } = takeBullets(drawn([18, 94, 22, 98]), line)
    expect(glyphs.map((g) => g.text).join('')).toBe('•item')
    expect(glyphs[0]).toMatchObject({ x: 18, y: 100 })
    expect(drawings.art).toEqual([])
  })

  it('stay drawings within a line, in a chart, and when too large', () => {
    const kept = (drawings: Drawings, glyphs = line): number =>
      takeBullets(drawings, glyphs).drawings.art.length
    expect(kept(drawn([18, 94, 22, 98]), [...glyphsOf('a', 5, 100), ...line])).toBe(1)
    expect(kept(drawn([18, 94, 22, 98], [10, 60, 90, 80]))).toBe(2)
    expect(kept(drawn([18, 90, 28, 100]))).toBe(1)
  })
})
