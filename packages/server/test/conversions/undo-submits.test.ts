import pg from 'pg'
import { expect, test } from 'vitest'
import { queryRows } from '../../src/db/query.ts'
import { useService } from '../support/service.ts'

const service = useService()

const submit = (headers: Record<string, string> = {}) =>
  service.call('/v1/conversions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ pair: 'md-to-html', bytes: 3 }),
  })
const jobs = () =>
  queryRows(service.database.kysely)`select status, failure_word from jobs order by created_at`

/** Keeps every submit of the account waiting in the database for longer than a caller waits. */
async function submitLate(headers?: Record<string, string>): Promise<Response> {
  const blocker = new pg.Client(service.database.connectionString)
  await blocker.connect()
  try {
    await blocker.query('begin')
    await blocker.query('select 1 from usage_windows for update')
    return await submit(headers)
  } finally {
    await blocker.end()
  }
}

test('a submit that commits after its error response is cancelled and refunded', async () => {
  expect((await submit()).status).toBe(201)
  const before = await service.freeJobs()
  expect((await submitLate()).status).toBe(503)
  await expect
    .poll(jobs)
    .toMatchObject([{ status: 'queued' }, { status: 'failed', failure_word: 'cancelled' }])
  expect(await service.freeJobs()).toBe(before)
})

test('with a key of its own the client finds that job, which is not cancelled', async () => {
  const before = await service.freeJobs()
  const headers = { 'idempotency-key': 'once' }
  expect((await submitLate(headers)).status).toBe(503)
  await expect.poll(async () => (await jobs()).length).toBe(3)
  const again = await submit(headers)
  expect([again.status, await again.json()]).toMatchObject([200, { idempotent: true }])
  expect((await jobs()).at(-1)).toMatchObject({ status: 'queued' })
  expect(await service.freeJobs()).toBe(before - 1)
})
