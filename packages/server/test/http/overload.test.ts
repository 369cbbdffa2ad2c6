import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Customer, createCustomer } from '../support/database.ts'
import { useService } from '../support/service.ts'

const service = useService({ maxWaitingJobs: 4 })
let others: Customer[]
beforeAll(async () => {
  others = await Promise.all(Array.from({ length: 4 }, () => createCustomer(service.database, 'other')))
})
const submit = (idempotencyKey?: string, key = service.customer.key) =>
  service.call('/v1/conversions', {
    key,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
    },
    body: JSON.stringify({ pair: 'md-to-html', bytes: 1 }),
  })
const wait = async (customer: Customer, jobs: number) => {
  for (let n = 0; n < jobs; n++) {
    const jobId = await customer.job()
    await sql`update jobs set uploaded_at = now(), turn = 0 where id = ${jobId}`.execute(
      service.database.kysely,
    )
  }
}
const jobsInWindow = async () =>
  ((await (await service.call('/v1/usage')).json()) as { currentWindow: { account: { jobs: number } } })
    .currentWindow.account.jobs
const becomes = (status: number, key?: string) =>
  expect.poll(async () => (await submit(undefined, key)).status, { timeout: 5000 }).toBe(status)
afterEach(async () => {
  await sql`delete from jobs`.execute(service.database.kysely)
  await becomes(201)
  await sql`delete from jobs`.execute(service.database.kysely)
})

describe('past the bound of waiting jobs', () => {
  test('a submit is refused with 503 and Retry-After, and bumps no meter; a replay is not', async () => {
    expect((await submit('earlier')).status).toBe(201)
    for (const other of others) await wait(other, 1)
    await becomes(503)
    const before = await jobsInWindow()
    const refused = await submit()
    expect(await refused.json()).toEqual({ error: expect.any(String), code: 'unavailable' })
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await jobsInWindow()).toBe(before)
    expect((await submit('earlier')).status).toBe(200)
  })

  test('an account that fills the queue is refused itself, and no other is', async () => {
    const [crowd] = others as [Customer]
    await wait(crowd, 30)
    await becomes(429, crowd.key)
    const refused = await submit(undefined, crowd.key)
    expect(await refused.json()).toEqual({ error: expect.any(String), code: 'rate-limited' })
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await submit()).status).toBe(201)
  })
})

describe('an account whose conversions fail after minutes', () => {
  const fail = (customer: Customer, word: string, seconds: number) =>
    sql`insert into jobs (account_id, pair, lane, bytes, upload_expires_at, status, outcome, failure_word,
                          failure_sentence, finished_at, cpu_seconds)
        values (${customer.accountId}, 'md-to-html', 'document', 1, now(), 'failed', 'failed', ${word}, 'A sentence.',
                now() - interval '10 minutes', ${seconds})`.execute(service.database.kysely)

  test('is refused once they have taken ten minutes within an hour; others are not', async () => {
    const [, failing, unlucky, abusive] = others as [Customer, Customer, Customer, Customer]
    await fail(failing, 'timeout', 400)
    // Two minutes of internal errors are forgiven, because most are the service's fault; not more, because a file may
    // cause them at will.
    await fail(unlucky, 'timeout', 590)
    await fail(unlucky, 'internal', 120)
    await fail(abusive, 'internal', 721)
    await becomes(429, abusive.key)
    expect((await submit(undefined, failing.key)).status).toBe(201)
    await fail(failing, 'corrupt-input', 201)
    await becomes(429, failing.key)
    expect((await (await submit(undefined, failing.key)).json()) as { error: string }).toMatchObject({
      error: expect.stringContaining('without an output within the last hour'),
      code: 'rate-limited',
    })
    expect((await submit(undefined, unlucky.key)).status).toBe(201)
  })
})
