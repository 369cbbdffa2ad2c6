import { expect, test } from 'vitest'
import { backoffAfter } from './deliver.ts'

test('pauses grow, over about a day', () => {
  const pauses: number[] = []
  for (
    let pause = backoffAfter(1, () => 0.5);
    pause !== null;
    pause = backoffAfter(pauses.length + 1, () => 0.5)
  )
    pauses.push(pause)
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other))
  const hours = pauses.reduce((sum, each) => sum + each, 0) / 3600
  expect(hours).toBeGreaterThan(23)
  expect(hours).toBeLessThan(25)
})

test('pauses are spread', () => {
  const [shortest, longest] = [backoffAfter(6, () => 0), backoffAfter(6, () => 1)]
  expect((longest ?? 0) / (shortest ?? 0)).toBeCloseTo(1.1 / 0.9)
})
