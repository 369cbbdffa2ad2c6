import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createKeyCache } from './key-cache.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

const key = (name: string) => Buffer.from(name)

function watchedKeys() {
  const owners: Record<string, string> = { one: 'a' }
  const asked: string[] = []
  const keys = createKeyCache(async (keyHash) => {
    asked.push(keyHash.toString())
    const accountId = owners[keyHash.toString()]
    return accountId === undefined ? null : { accountId, familyId: accountId }
  })
  return { ...keys, owners, asked }
}

test('the owner of a key is asked for once a minute; an unknown key each time', async () => {
  const { accountOf, asked } = watchedKeys()
  for (const name of ['one', 'one', 'nobody', 'nobody']) await accountOf(key(name))
  expect(asked).toEqual(['one', 'nobody', 'nobody'])
  vi.advanceTimersByTime(60_000)
  await accountOf(key('one'))
  expect(asked).toEqual(['one', 'nobody', 'nobody', 'one'])
})

test('whether a key works is asked once a second, however many want to know', async () => {
  const { workingAccountOf, owners, asked } = watchedKeys()
  for (let n = 0; n < 100; n++) expect(await workingAccountOf(key('one'))).toMatchObject({ accountId: 'a' })
  expect(asked).toHaveLength(1)
  delete owners.one
  vi.advanceTimersByTime(1000)
  const found = await Promise.all(Array.from({ length: 100 }, () => workingAccountOf(key('one'))))
  expect(new Set(found)).toEqual(new Set([null]))
  expect(asked).toHaveLength(2)
})
