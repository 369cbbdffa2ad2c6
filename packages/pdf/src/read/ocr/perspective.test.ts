import { expect, test } from 'vitest'
import { type Grey, originOf } from './grey.ts'
import { rectified } from './perspective.ts'

// Photographs painted by hand, at 100 dots per inch: the rules on a sheet go from its left to its right edge.

const [width, height] = [600, 800]
const [paper, ink] = [220, 20]
const table = (): number => 60

interface Sheet {
  left: number
  right: number
  /** Of the left and of the right side; the sheet is 500 wide. */
  tops: readonly [number, number]
  bottoms: readonly [number, number]
}
/** The right side is farther from the camera. */
const tilted: Sheet = { left: 50, right: 550, tops: [60, 140], bottoms: [740, 660] }

function photograph({ left, right, tops, bottoms }: Sheet, around: (x: number, y: number) => number): Grey {
  const pixels = Uint8Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)]
    const across = (x - left) / (right - left)
    const top = tops[0] + (tops[1] - tops[0]) * across
    const bottom = bottoms[0] + (bottoms[1] - bottoms[0]) * across
    if (across < 0 || across > 1 || y < top || y > bottom) return around(x, y)
    const down = (y - top) / (bottom - top)
    return across > 0.1 && across < 0.9 && down > 0.1 && down < 0.9 && (down * 40) % 2 < 1 ? ink : paper
  })
  return { width, height, dotsPerInch: 100, pixels }
}

/** Brightness changes in a column: the rules that it crosses. */
function changes({ pixels }: Grey, x: number): number[] {
  const rows: number[] = []
  for (let y = 1; y < height; y++) {
    const [above, own] = [pixels[(y - 1) * width + x] ?? 0, pixels[y * width + x] ?? 0]
    if (above < 128 !== own < 128) rows.push(y)
  }
  return rows
}

test('a sheet photographed from an angle is shown as from above', () => {
  const image = photograph(tilted, table)
  const seen = rectified(image)
  const [left, right] = [changes(seen, 150), changes(seen, 450)]
  expect(left.length).toBe(32)
  expect(right.length).toBe(32)
  for (const [i, y] of left.entries()) expect(Math.abs(y - (right[i] ?? 0))).toBeLessThanOrEqual(2)
})

test('places on the sheet are those of the photograph', () => {
  const image = photograph(tilted, table)
  const seen = rectified(image)
  const [first = 0] = changes(seen, 150)
  const place = originOf(seen, 150, first)
  const nearby = changes(image, Math.round(place.x))
  expect(Math.min(...nearby.map((y) => Math.abs(y - place.y)))).toBeLessThanOrEqual(2)
})

test('a sheet that is seen from above, and one whose edges are not all visible, are left as they are', () => {
  const straight = photograph({ ...tilted, tops: [60, 60], bottoms: [740, 740] }, table)
  expect(rectified(straight)).toBe(straight)
  const cropped = photograph({ ...tilted, left: -50, right: 650 }, table)
  expect(rectified(cropped)).toBe(cropped)
  const onWhite = photograph(tilted, () => paper)
  expect(rectified(onWhite)).toBe(onWhite)
})

test('a photograph on the page, and a table with a dark head, are not a sheet', () => {
  const picture = photograph(tilted, (x, y) => ((x * 7919 + y * 104_729) % 251 < 120 ? 30 : 250))
  expect(rectified(picture)).toBe(picture)
  const blank: Grey = { width, height, dotsPerInch: 100, pixels: new Uint8Array(width * height).fill(255) }
  expect(rectified(blank)).toBe(blank)
  const tiny: Grey = { width: 3, height: 2, dotsPerInch: 100, pixels: new Uint8Array(6) }
  expect(rectified(tiny)).toBe(tiny)
})
