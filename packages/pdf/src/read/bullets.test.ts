import { describe, expect, it } from 'vitest'
import { glyphsOf } from '../lines/test-text-runs.ts'
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

  it('stand on the right of right-to-left text', () => {
    const hebrew = glyphsOf('\u05d0\u05d1', 30, 100)
    const end = Math.max(...hebrew.map((g) => g.box.x1))
    const mark = drawn([end + 8, 94, end + 12, 98])
    expect(takeBullets(mark, hebrew).glyphs[0]).toMatchObject({ text: '•', x: end + 8 })
    expect(takeBullets(mark, glyphsOf('item', 30, 100)).drawings.art).toHaveLength(1)
  })

  it('may be inside or below the background of other text', () => {
    const code = glyphsOf('code', 30, 74)
    const bullets = (panel: [number, number, number, number]): number =>
      takeBullets(drawn([18, 94, 22, 98], panel), [...code, ...line]).glyphs.length -
      code.length -
      line.length
    expect([bullets([10, 60, 90, 80]), bullets([10, 60, 90, 110])]).toEqual([1, 1])
  })

  it('are squares too, of a colour that letters have', () => {
    const box = { x0: 18, y0: 94, x1: 22, y1: 98 }
    const edge = { horizontal: true, at: 94, from: 18, to: 22, thickness: 1, color: '000000', weak: true }
    const square = (color: string): Drawings => ({
      ...drawn(),
      fills: [{ box, color, object: 0 }],
      rules: [edge],
    })
    const { glyphs, drawings } = takeBullets(square('000000'), line)
    expect(glyphs.map((g) => g.text).join('')).toBe('•item')
    expect([drawings.fills, drawings.rules]).toEqual([[], []])
    expect(takeBullets(square('ff0000'), line).glyphs).toHaveLength(4)
  })

  it('stay drawings within a line, in a chart, and when too large', () => {
    const kept = (drawings: Drawings, glyphs = line): number =>
      takeBullets(drawings, glyphs).drawings.art.length
    expect(kept(drawn([18, 94, 22, 98]), [...glyphsOf('a', 5, 100), ...line])).toBe(1)
    expect(kept(drawn([18, 94, 22, 98], [10, 60, 90, 80]))).toBe(2)
    expect(kept(drawn([18, 90, 28, 100]))).toBe(1)
  })

  it('are found among many on a full page of backgrounds', () => {
    const lines = Array.from({ length: 200 }, (_, i) =>
      glyphsOf('item '.repeat(20), 30, 20 + 4 * i, 4),
    ).flat()
    const marks = Array.from({ length: 200 }, (_, i): [number, number, number, number] => [
      24,
      18 + 4 * i,
      25.5,
      19.5 + 4 * i,
    ])
    const panels = Array.from({ length: 1000 }, (_, i): [number, number, number, number] => [
      20 + i / 1000,
      10,
      590,
      840,
    ])
    const before = process.cpuUsage()
    expect(takeBullets(drawn(...marks, ...panels), lines).glyphs.length - lines.length).toBe(200)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(2000)
  })
})
