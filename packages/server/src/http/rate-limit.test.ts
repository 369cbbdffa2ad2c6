import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createRate } from './rate-limit.ts'

const keyHash = randomBytes(32)

test('the first call of a key counts once its account is known', async () => {
  const rate = createRate('submit', 2)
  expect(await rate.take(keyHash)).toBeNull()
  const first = await rate.settle(keyHash, 'a', null)
  expect(first.within).toBe(true)
  expect(first.headers).toMatchObject({
    'ratelimit-policy': '"submit";q=2;w=60',
    ratelimit: '"submit";r=1;t=60',
  })
  expect((await rate.take(keyHash))?.within).toBe(true)
  const third = await rate.take(keyHash)
  expect(third?.within).toBe(false)
  expect(Number(third?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
})

test('all keys of an account share one budget, and another account has its own', async () => {
  const rate = createRate('submit', 1)
  const [second, other] = [randomBytes(32), randomBytes(32)]
  expect((await rate.settle(keyHash, 'a', null)).within).toBe(true)
  expect((await rate.settle(second, 'a', null)).within).toBe(false)
  expect((await rate.settle(other, 'b', null)).within).toBe(true)
})

test('what is put back can be taken again', async () => {
  const rate = createRate('submit', 1)
  await rate.settle(keyHash, 'a', null)
  await rate.putBack('a')
  expect((await rate.take(keyHash))?.within).toBe(true)
})
