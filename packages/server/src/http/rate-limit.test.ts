import { expect, test } from 'vitest'
import { createRate, rememberAccounts } from './rate-limit.ts'

const owners: Record<string, string> = { one: 'a', two: 'a', other: 'b' }
const find = async (keyHash: Buffer) => owners[keyHash.toString()] ?? null
const key = (name: string) => Buffer.from(name)

test('says what is left, and when to go on', async () => {
  const rate = createRate('submit', 2, find)
  expect(await rate.take(key('one'))).toMatchObject({
    within: true,
    headers: { 'ratelimit-policy': '"submit";q=2;w=60', ratelimit: '"submit";r=1;t=60' },
  })
  expect((await rate.take(key('one')))?.within).toBe(true)
  const third = await rate.take(key('one'))
  expect(third?.within).toBe(false)
  expect(Number(third?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
})

test('all keys of an account share one budget, and another account has its own', async () => {
  const rate = createRate('submit', 1, find)
  expect((await rate.take(key('one')))?.within).toBe(true)
  expect((await rate.take(key('two')))?.within).toBe(false)
  expect((await rate.take(key('other')))?.within).toBe(true)
  expect(await rate.take(key('nobody'))).toBeNull()
})

test('a burst of first calls is counted like any other', async () => {
  const rate = createRate('submit', 3, rememberAccounts(find))
  const states = await Promise.all(Array.from({ length: 10 }, () => rate.take(key('one'))))
  expect(states.filter((state) => state?.within)).toHaveLength(3)
})

test('what is put back can be taken again', async () => {
  const rate = createRate('submit', 1, find)
  const first = await rate.take(key('one'))
  await first?.putBack()
  expect((await rate.take(key('one')))?.within).toBe(true)
})

test('the owner of a key is asked for once; an unknown key each time', async () => {
  const asked: string[] = []
  const findOnce = rememberAccounts(async (keyHash) => {
    asked.push(keyHash.toString())
    return find(keyHash)
  })
  for (const name of ['one', 'one', 'nobody', 'nobody']) await findOnce(key(name))
  expect(asked).toEqual(['one', 'nobody', 'nobody'])
})
