import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memoize, ttlCache } from './caches.ts'

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

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

test('one question answers all who ask within the time', async () => {
  let asked = 0
  const ask = ttlCache(1000, async () => ++asked)
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
  vi.advanceTimersByTime(999)
  expect(await ask()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await ask()).toBe(2)
})

test('a failure is kept as briefly', async () => {
  let asked = 0
  const ask = ttlCache(1000, async () => {
    asked += 1
    throw new Error('away')
  })
  await expect(ask()).rejects.toThrow('away')
  await expect(ask()).rejects.toThrow('away')
  expect(asked).toBe(1)
  vi.advanceTimersByTime(1000)
  await expect(ask()).rejects.toThrow('away')
  expect(asked).toBe(2)
})

test('different questions have answers of their own', async () => {
  let asked = 0
  const ask = ttlCache(1000, async (name: string) => `${name} ${++asked}`)
  expect(await Promise.all([ask('day'), ask('hour'), ask('day')])).toEqual(['day 1', 'hour 2', 'day 1'])
})
