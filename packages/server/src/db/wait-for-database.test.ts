import { expect, test } from 'vitest'
import { databaseUnavailable } from './connection-errors.ts'
import { waitForDatabase } from './wait-for-database.ts'

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
