import { expect, test } from 'vitest'
import { createKeyCache } from './key-cache.ts'
import { createRate, overRate } from './rate-limit.ts'

const owners: Record<string, string> = {
  one: 'a',
  two: 'a',
  other: 'b',
  parent: 'p',
  child: 'c',
  sibling: 'd',
}
const parents: Record<string, string> = { c: 'p', d: 'p' }
const find = async (keyHash: Buffer) => {
  const accountId = owners[keyHash.toString()]
  return accountId === undefined ? null : { accountId, familyId: parents[accountId] ?? accountId }
}
const key = (name: string) => Buffer.from(name)
const rateOf = (perMinute: number, windowSeconds = 60) =>
  createRate('submit', { perMinute, windowSeconds }, createKeyCache(find))

test('reports the remaining requests, and when to retry', async () => {
  const rate = rateOf(2)
  expect(await rate.take(key('one'))).toMatchObject({
    within: true,
    headers: { 'ratelimit-policy': '"submit";q=2;w=60', ratelimit: '"submit";r=1;t=60' },
  })
  expect((await rate.take(key('one')))?.within).toBe(true)
  const third = await rate.take(key('one'))
  expect(third?.within).toBe(false)
  // Only a refusal may have this header.
  expect(third?.headers).not.toHaveProperty('retry-after')
  expect(third && Number(overRate(third).headers['retry-after'])).toBeGreaterThanOrEqual(1)
})

test('a shorter window has its share of the rate', async () => {
  expect((await rateOf(6, 20).take(key('one')))?.headers).toEqual({
    'ratelimit-policy': '"submit";q=2;w=20',
    ratelimit: '"submit";r=1;t=20',
  })
  expect((await rateOf(1, 20).take(key('one')))?.within).toBe(true)
})

test('all keys of an account share one budget, and another account has its own', async () => {
  const rate = rateOf(1)
  expect((await rate.take(key('one')))?.within).toBe(true)
  expect((await rate.take(key('two')))?.within).toBe(false)
  expect((await rate.take(key('other')))?.within).toBe(true)
  expect(await rate.take(key('nobody'))).toBeNull()
})

test('a parent and its accounts share one budget', async () => {
  const rate = rateOf(2)
  expect(await rate.take(key('child'))).toMatchObject({ accountId: 'c', within: true })
  const second = await rate.take(key('sibling'))
  expect(second).toMatchObject({ accountId: 'd', within: true })
  await second?.putBack()
  expect((await rate.take(key('parent')))?.within).toBe(true)
  for (const name of ['child', 'sibling', 'parent']) expect((await rate.take(key(name)))?.within).toBe(false)
  expect((await rate.take(key('other')))?.within).toBe(true)
})

test('a burst of first calls is counted like any other', async () => {
  const rate = rateOf(3)
  const states = await Promise.all(Array.from({ length: 10 }, () => rate.take(key('one'))))
  expect(states.filter((state) => state?.within)).toHaveLength(3)
})

test('what is put back can be taken again', async () => {
  const rate = rateOf(1)
  const first = await rate.take(key('one'))
  await first?.putBack()
  expect((await rate.take(key('one')))?.within).toBe(true)
})
