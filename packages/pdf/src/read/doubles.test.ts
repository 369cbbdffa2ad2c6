import { expect, it } from 'vitest'
import { glyphsOf } from '../lines/test-text-runs.ts'
import { withoutDoubles } from './doubles.ts'

it('keeps the copy on top of a shadow, at the place of the shadow, and writes into neither', () => {
  const shadow = glyphsOf('ab', 61, 101, 10, { color: '999999', order: 1 })
  const text = glyphsOf('ab', 60, 100, 10, { order: 2 })
  const given = [...shadow, ...glyphsOf('c', 90, 100, 10, { order: 3 }), ...text].map((g) => Object.freeze(g))
  const kept = withoutDoubles(given)
  expect(kept.map((g) => g.text)).toEqual(['a', 'b', 'c'])
  expect(kept[0]).toEqual(text[0])
  expect(shadow[0]?.color).toBe('999999')
})
