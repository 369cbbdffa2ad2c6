import { expect, test } from 'vitest'
import { databaseUnavailable } from './connection-errors.ts'
import { retryOnDeadlock, waitForDatabase } from './retries.ts'

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

const away = databaseUnavailable(new Error('connect ECONNREFUSED'))

test('waits while the database is away, and reports it once', async () => {
  let tries = 0
  const reported: unknown[] = []
  const work = async () => {
    tries++
    if (tries === 1) throw away
    if (tries === 2) throw new Error('The database tables could not be brought up to date.', { cause: away })
    return 'there'
  }
  expect(await waitForDatabase(work, (error) => reported.push(error))).toBe('there')
  expect(reported).toEqual([away])
})

test('any other fault ends the wait', async () => {
  const wrong = Object.assign(new Error('no such table'), { code: '42P01' })
  await expect(
    waitForDatabase(
      () => Promise.reject(wrong),
      () => {},
    ),
  ).rejects.toBe(wrong)
})
