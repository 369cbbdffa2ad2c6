import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapConcurrently } from './map-concurrently.ts'

test('keeps the order, and works on a few at once, not on all', async () => {
  let now = 0
  let peak = 0
  const numbers = Array.from({ length: 100 }, (_, number) => number)
  const doubled = await mapConcurrently(numbers, async (number) => {
    peak = Math.max(peak, ++now)
    await delay(1)
    now--
    return number * 2
  })
  expect(doubled).toEqual(numbers.map((number) => number * 2))
  expect(peak).toBeGreaterThan(1)
  expect(peak).toBeLessThanOrEqual(16)
})

test('an error is the caller’s, after all others have ended', async () => {
  let ended = 0
  const work = async (number: number) => {
    if (number === 0) throw new Error('broken')
    await delay(20)
    ended++
  }
  await expect(mapConcurrently([0, 1, 2], work)).rejects.toThrow('broken')
  expect(ended).toBe(2)
})

test('nothing to do is no fault', async () => {
  expect(await mapConcurrently([], async () => 1)).toEqual([])
})
