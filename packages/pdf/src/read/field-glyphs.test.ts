import { expect, test } from 'vitest'
import { contains } from '../geometry.ts'
import { glyphsOf } from '../lines/test-text-runs.ts'
import { emptyFieldMark } from '../marks.ts'
import { withFields } from './field-glyphs.ts'
import type { Field } from './page.ts'

const field = (change: Partial<Field> = {}): Field => ({
  box: { x0: 100, x1: 200, y0: 88, y1: 104 },
  kind: 'text',
  name: 'f',
  value: '',
  checked: false,
  options: [],
  ...change,
})
const text = (glyphs: ReturnType<typeof withFields>): string => glyphs.map((g) => g.text).join('')

test('an empty field gets a mark on the line of the words beside it', () => {
  const mark = withFields(glyphsOf('Name:', 50, 100), [field()]).at(-1)
  expect(mark?.text).toBe(emptyFieldMark)
  expect(mark?.y).toBe(100)
})

test('a value that is not painted is set into the field, line by line', () => {
  const glyphs = withFields([], [field({ value: 'one\ntwo' })])
  expect(text(glyphs)).toBe('onetwo')
  expect(new Set(glyphs.map((g) => g.y)).size).toBe(2)
})

test('what the field shows by itself stays', () => {
  const shown = glyphsOf('Ada', 110, 100)
  expect(withFields(shown, [field({ value: 'Ada' })])).toEqual(shown)
})

test('the tick of a box gives way to its mark', () => {
  const ticked = withFields(glyphsOf('4', 102, 100), [field({ kind: 'check', checked: true })])
  expect(text(ticked)).toBe(emptyFieldMark)
})

test('a mark always lies within its field, whatever stands beside it', () => {
  for (const size of [4, 10, 40])
    for (const y of [89, 96, 103, 110]) {
      const box = field().box
      const mark = withFields(glyphsOf('x', 80, y, size), [field()]).at(-1)
      expect(mark?.text).toBe(emptyFieldMark)
      expect(contains(box, 150, (mark?.y ?? 0) - 0.3 * (mark?.size ?? 0), 0.5)).toBe(true)
    }
})

test('buttons and signatures stay as they look', () => {
  expect(withFields([], [field({ kind: 'button' }), field({ kind: 'signature' })])).toEqual([])
})
