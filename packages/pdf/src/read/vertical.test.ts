import { expect, it } from 'vitest'
import { glyphsOf } from '../lines/test-text-runs.ts'
import type { Glyph } from './page.ts'
import { isVertical, turnedBack } from './vertical.ts'

const column = (text: string, x: number): Glyph[] =>
  [...text].flatMap((sign, i) => glyphsOf(sign, x, 100 + 10 * i))

it('a page of glyphs below each other is vertical, one of lines or with a few labels is not', () => {
  const text = '拝啓春暖の候ますますご清栄のこととお慶び申し上げます'
  expect(isVertical([...column(text, 300), ...column(text, 280)])).toBe(true)
  const lines = Array.from({ length: 30 }, (_, i) => glyphsOf(text, 50, 100 + 10 * i)).flat()
  expect(isVertical(lines)).toBe(false)
  expect(isVertical([...lines, ...column(text, 400)])).toBe(false)
  expect(isVertical(column('目盛', 50))).toBe(false)
})

it('glyphs of the rotated page share a line, with full stops beside its middle', () => {
  const rotated = [...glyphsOf('候', 50, 100), ...glyphsOf('。', 60, 96), ...glyphsOf('候', 50, 120)]
  const [first, stop, next] = turnedBack(rotated.map((g) => ({ ...g, turn: 3 })))
  expect([first?.turn, stop?.turn]).toEqual([0, 0])
  expect(stop?.y).toBe(first?.y)
  expect(next?.y).toBeGreaterThan((first?.y ?? 0) + 10)
})
