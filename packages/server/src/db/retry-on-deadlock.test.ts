import { expect, test } from 'vitest'
import { retryOnDeadlock } from './retry-on-deadlock.ts'

const fails = (code: string, times: number) => {
  let runs = 0
  const transaction = async () => {
    runs++
    if (runs <= times) throw Object.assign(new Error('undone'), { code })
    return 'done'
  }
  return { transaction, runs: () => runs }
}

test('a transaction that was undone by a deadlock is run again', async () => {
  const { transaction, runs } = fails('40P01', 2)
  expect(await retryOnDeadlock(transaction)).toBe('done')
  expect(runs()).toBe(3)
})

test('endless deadlocks are reported', async () => {
  const { transaction, runs } = fails('40P01', Number.POSITIVE_INFINITY)
  await expect(retryOnDeadlock(transaction)).rejects.toThrow('undone')
  expect(runs()).toBe(5)
})

test('any other failure is reported at once', async () => {
  const { transaction, runs } = fails('23505', 1)
  await expect(retryOnDeadlock(transaction)).rejects.toThrow('undone')
  expect(runs()).toBe(1)
})
