import { expect, test } from 'vitest'
import { type Grey, originOf } from './grey.ts'
import type { OcrReading } from './reading.ts'
import { gutterOf, halvesOf, joined } from './spread.ts'

// Scans painted by hand, at 60 dots per inch: lines of text are rows of short strokes.

const [width, height] = [660, 480]
type Shade = (x: number, y: number) => number

const paint = (shade: Shade, wide = width): Grey => ({
  ...{ width: wide, height, dotsPerInch: 60 },
  pixels: Uint8Array.from({ length: wide * height }, (_, i) => shade(i % wide, Math.floor(i / wide))),
})

/** Dark strokes on white between the given positions, in lines that go down by `slope`. */
const text =
  (from: number, to: number, slope = 0, top = 48): Shade =>
  (x, y) => {
    const level = y - slope * (x - (from + to) / 2)
    return level > top && level < 432 && level % 20 < 8 && x > from && x < to && x % 6 < 3 ? 10 : 250
  }
const both =
  (...shades: Shade[]): Shade =>
  (x, y) =>
    Math.min(...shades.map((shade) => shade(x, y)))
const book = both(text(36, 300, 0.02), text(360, 624, -0.02))

test('two pages have a gutter, with a shadow in their fold and without', () => {
  expect(gutterOf(paint(book))).toBeCloseTo(330, -1)
  const shadow: Shade = (x) => (Math.abs(x - 330) < 2 ? 20 : 250 - 150 * Math.exp(-Math.abs(x - 330) / 20))
  expect(gutterOf(paint(both(book, shadow)))).toBeCloseTo(330, -1)
})

test('one page has no gutter', () => {
  const heading: Shade = (x, y) => (y > 20 && y < 40 && x > 200 && x < 460 && x % 6 < 3 ? 10 : 250)
  expect(gutterOf(paint(both(text(36, 300), text(360, 624), heading)))).toBeUndefined()
  expect(gutterOf(paint(both(text(36, 323), text(337, 624))))).toBeUndefined()
  expect(gutterOf(paint(text(36, 624)))).toBeUndefined()
  expect(gutterOf(paint(text(36, 300)))).toBeUndefined()
  expect(gutterOf(paint(both(text(36, 210), text(270, 440)), 480))).toBeUndefined()
})

test('the words of both pages have their positions on the scan', () => {
  const scan = paint(book)
  const [left, right] = halvesOf(scan, 330)
  expect([left.width, right.width, originOf(right, 10, 20).x]).toEqual([330, 330, 340])
  const reading = (image: Grey, language: string): OcrReading => ({
    words: [{ text: 'a', left: 10, top: 20, width: 9, height: 9, line: '1.1', confidence: 90 }],
    ...{ languages: [language], image, turns: 0 },
  })
  const whole = joined(reading(left, 'fra'), reading(right, 'eng'))
  expect(whole.words.map((word) => word.left)).toEqual([10, 340])
  expect(new Set(whole.words.map((word) => word.line)).size).toBe(2)
  expect(whole.languages).toEqual(['fra', 'eng'])
  expect(Buffer.compare(whole.image.pixels, scan.pixels)).toBe(0)
  expect(originOf(whole.image, 400, 30)).toEqual({ x: 400, y: 30 })
})
