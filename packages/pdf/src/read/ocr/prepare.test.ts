import { expect, test } from 'vitest'
import { densestPart, type Grey, originOf, textStrip, turn } from './grey.ts'
import { withoutLeaders } from './leaders.ts'
import { evenLight } from './lighting.ts'
import { prepareScan } from './prepare.ts'
import { deskewed } from './skew.ts'
import { despeckled } from './specks.ts'
import { hasDarkGround } from './tiles.ts'

// Pages painted by hand, at 100 dots per inch: lines of text are rows of short strokes.

const [width, height] = [600, 800]
type Shade = (x: number, y: number) => number

const paint = (shade: Shade): Grey => ({
  ...{ width, height, dotsPerInch: 100 },
  pixels: Uint8Array.from({ length: width * height }, (_, i) => shade(i % width, Math.floor(i / width))),
})

/** Dark strokes on white, in lines that go down by `slope`. */
const text =
  (slopeAt: (y: number) => number = () => 0): Shade =>
  (x, y) => {
    const level = y - slopeAt(y / height) * (x - width / 2)
    const isLine = level > 80 && level < 720 && level % 20 < 8
    return isLine && x > 60 && x < 540 && x % 6 < 3 ? 10 : 250
  }
const at = ({ pixels }: Grey, x: number, y: number): number => pixels[y * width + x] as number

/** How many rows of dots in the text have no ink. */
function emptyRows(image: Grey): number {
  let count = 0
  for (let y = 100; y < 700; y++) {
    const row = image.pixels.subarray(y * width + 70, y * width + 530)
    if (row.every((value) => value > 128)) count++
  }
  return count
}

test('a clean page is left as it is', () => {
  const page = paint(text())
  expect(prepareScan(page)).toBe(page)
  expect(deskewed(page)).toBe(page)
})

test('a page that is darker on one side becomes as light there as elsewhere', () => {
  const clean = text()
  const page = paint((x, y) => clean(x, y) * (1 - (0.6 * x) / width))
  expect(at(page, 580, 400)).toBeLessThan(110)
  const even = evenLight(page)
  for (const x of [20, 300, 580]) expect(at(even, x, 60)).toBeGreaterThan(235)
  expect(at(even, 534, 81)).toBeLessThan(40)
})

test('pale ink becomes dark', () => {
  const clean = text()
  const pale = evenLight(paint((x, y) => (clean(x, y) < 128 ? 150 : 230)))
  expect(at(pale, 66, 81)).toBeLessThan(30)
  expect(at(pale, 20, 20)).toBeGreaterThan(240)
})

test('single dark dots go, strokes stay', () => {
  const clean = text()
  const dusty = paint((x, y) => (x % 7 === 0 && y % 5 === 0 && y < 76 ? 0 : clean(x, y)))
  const cleaned = despeckled(dusty)
  expect(at(cleaned, 14, 15)).toBe(255)
  expect(at(cleaned, 66, 81)).toBe(10)
})

test.each([0.02, -0.05])('lines that slope by %f are made level', (slope) => {
  const askew = paint(text(() => slope))
  expect(emptyRows(askew)).toBeLessThan(100)
  expect(emptyRows(deskewed(askew))).toBeGreaterThan(300)
})

test('the black border of a copy does not hide the slope of a few lines', () => {
  const lines = text(() => 0.04)
  const copy = paint((x, y) => (y < 25 || x < 20 ? 10 : y < 180 && x < 400 ? lines(x, y) : 250))
  const straight = deskewed(copy)
  const isEmpty = (y: number): boolean =>
    straight.pixels.subarray(y * width + 90, y * width + 380).every((value) => value > 128)
  const rows = Array.from({ length: 60 }, (_, i) => 100 + i)
  expect(rows.filter(isEmpty).length).toBeGreaterThan(20)
})

test('a picture is turned by quarters, and four of them change nothing', () => {
  const page = { width: 2, height: 3, dotsPerInch: 72, pixels: Uint8Array.of(1, 2, 3, 4, 5, 6) }
  expect(turn(page, 1)).toMatchObject({ width: 3, height: 2, pixels: Uint8Array.of(5, 3, 1, 6, 4, 2) })
  expect(turn(page, 2).pixels).toEqual(Uint8Array.of(6, 5, 4, 3, 2, 1))
  expect(turn(turn(page, 1), 3)).toMatchObject(page)
  for (const turns of [1, 2, 3]) {
    const turned = turn(page, turns)
    for (let y = 0; y < turned.height; y++)
      for (let x = 0; x < turned.width; x++) {
        const from = originOf(turned, x + 0.5, y + 0.5)
        expect(page.pixels[Math.floor(from.y) * page.width + Math.floor(from.x)]).toBe(
          turned.pixels[y * turned.width + x],
        )
      }
  }
})

test('the part with most text is found', () => {
  const clean = text()
  const page = paint((x, y) => (y > 400 && x > 300 ? clean(x, y) : 250))
  const part = densestPart(page, { height: 2, width: 2.4 })
  expect([part.width, part.height]).toEqual([240, 200])
  expect(part.pixels.filter((value) => value < 128).length / part.pixels.length).toBeGreaterThan(0.15)
})

test('a page whose lower half is blank is turned as a whole', () => {
  const askew = text(() => 0.03)
  const sparse = paint((x, y) => (y < 350 ? askew(x, y) : (x * y) % 977 === 0 ? 0 : 250))
  const straight = deskewed(sparse)
  const isInked = (y: number): boolean =>
    straight.pixels.subarray(y * width + 200, y * width + 400).some((value) => value < 128)
  const rows = Array.from({ length: 200 }, (_, i) => isInked(120 + i))
  expect(rows.filter((inked) => !inked).length).toBeGreaterThan(60)
})

test('a strip holds whole lines where they are closest', () => {
  const clean = text()
  const page = paint((x, y) => (y > 500 || y % 100 < 20 ? clean(x, y) : 250))
  const strip = textStrip(page)
  const isInked = (y: number): boolean =>
    strip.pixels.subarray(y * width, (y + 1) * width).some((value) => value < 128)
  const inked = Array.from({ length: strip.height }, (_, y) => isInked(y))
  expect(inked.filter(Boolean).length).toBeGreaterThanOrEqual(40)
  expect(strip.height).toBeLessThan(140)
  expect([inked[0], inked.at(-1)]).toEqual([false, false])
})

test('dots that lead to a page number go; an ellipsis and words stay', () => {
  const clean = text()
  const isDot = (x: number, y: number): boolean => y >= 40 && y < 43 && x % 10 < 3
  const page = paint((x, y) => (isDot(x, y) && x >= 100 && (x < 400 || x >= 570) ? 0 : clean(x, y)))
  const ellipsis = paint((x, y) => (isDot(x, y) && x >= 100 && x < 130 ? 0 : clean(x, y)))
  const cleaned = withoutLeaders(page)
  for (const x of [101, 251, 391]) expect(at(cleaned, x, 41)).toBe(255)
  expect(at(cleaned, 66, 81)).toBe(10)
  expect(withoutLeaders(ellipsis)).toBe(ellipsis)
  const dotted = paint((x, y) => (x % 10 < 3 && ((y >= 40 && y < 43) || (y >= 45 && y < 52)) ? 0 : 250))
  expect(withoutLeaders(dotted)).toBe(dotted)
})

test('light letters on a dark bar are seen, dark ones on paper are none', () => {
  const clean = text()
  expect(hasDarkGround(paint(clean))).toBe(false)
  expect(hasDarkGround(paint((x, y) => (y < 60 ? 255 - clean(x, y + 100) : clean(x, y))))).toBe(true)
})

test('a page with little text on it, and a blank one, are left as they are', () => {
  const clean = text()
  const sparse = paint((x, y) => (y < 110 ? clean(x, y) : 250))
  expect(prepareScan(sparse)).toBe(sparse)
  const blank = paint(() => 250)
  expect(prepareScan(blank)).toBe(blank)
  expect(deskewed(blank)).toBe(blank)
})
