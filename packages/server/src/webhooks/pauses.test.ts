import { expect, test } from 'vitest'
import { pauseAfter } from './pauses.ts'

test('pauses grow, and go on for a day', () => {
  const pauses: number[] = []
  for (let pause = pauseAfter(1, () => 0.5); pause !== null; pause = pauseAfter(pauses.length + 1, () => 0.5))
    pauses.push(pause)
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other))
  const hours = pauses.reduce((sum, each) => sum + each, 0) / 3600
  expect(hours).toBeGreaterThan(23)
  expect(hours).toBeLessThan(25)
})

test('pauses are spread', () => {
  const [least, most] = [pauseAfter(6, () => 0), pauseAfter(6, () => 1)]
  expect((most ?? 0) / (least ?? 0)).toBeCloseTo(1.1 / 0.9)
})
