import { expect, test } from 'vitest'
import { memoize } from './memoize.ts'

test('is loaded once, also for those who call at the same time', async () => {
  let loads = 0
  const load = memoize(async () => ++loads)
  expect(await Promise.all([load(), load()])).toEqual([1, 1])
  expect(await load()).toBe(1)
})

test('what could not be loaded is tried again with the next call', async () => {
  let loads = 0
  const load = memoize(async () => {
    loads += 1
    if (loads === 1) throw new Error('the disk is full')
    return loads
  })
  await expect(load()).rejects.toThrow('the disk is full')
  expect(await load()).toBe(2)
})
