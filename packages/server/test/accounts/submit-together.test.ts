import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createAccounts } from '../../src/accounts/accounts.ts'
import { hashKey, makeKey } from '../../src/accounts/api-key.ts'
import { findLedgerDrift } from '../../src/db/accounts.ts'
import { createSubmitCalls, type SubmitOrder } from '../../src/db/submit-together.ts'
import { createCustomer, useDatabase } from '../support/database.ts'

const context = useDatabase()
const order = (key: string, changes: Partial<SubmitOrder> = {}): SubmitOrder => ({
  keyHash: hashKey(key),
  pair: 'md-to-html',
  lane: 'document',
  bytes: 100,
  cost: 1,
  idempotencyKey: null,
  refusal: null,
  ...changes,
})
const open = () => createSubmitCalls(context.database, { freePerMonth: 5, uploadSeconds: 3600 })

test('a thousand submits at once, of all kinds and from two callers, keep every balance right', async () => {
  const { database } = context
  const customers = await Promise.all(Array.from({ length: 6 }, () => createCustomer(database)))
  const granted = [0, 10, 20, 30, 40, 50]
  for (const [index, { accountId }] of customers.entries()) {
    if (granted[index]) await createAccounts(database).grant(accountId, granted[index], 'test')
  }
  const callers = [open(), open()]
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, n) => {
      const key = n % 50 === 49 ? makeKey() : (customers[(n * 7) % 6]?.key as string)
      const idempotencyKey = n % 4 === 0 ? `k${n % 40}` : null
      const refusal = n % 97 === 0 ? 'rate-limited' : null
      return callers[n % 2]?.(order(key, { cost: 1 + (n % 3), idempotencyKey, refusal }))
    }),
  )
  const outcomes = new Set(answers.map((answer) => answer?.outcome))
  for (const outcome of ['created', 'replay', 'no-credits', 'unknown-key', 'rate-limited']) {
    expect(outcomes).toContain(outcome)
  }
  expect(await findLedgerDrift(database.kysely)).toEqual([])
  const { rows } = await sql<{
    jobs: number
    counted: number
    charges: number
    free: number
    credits: number
  }>`
    select w.jobs as counted, w.free_used as free, a.credits,
      (select count(*) from jobs j where j.account_id = a.id) as jobs,
      (select count(*) from ledger l where l.account_id = a.id and kind = 'charge') as charges
    from accounts a join usage_windows w on w.account_id = a.id
    where a.id in (${sql.join(customers.map(({ accountId }) => accountId))})`.execute(database.kysely)
  expect(rows).toHaveLength(6)
  for (const row of rows) {
    expect(row.counted).toBe(row.jobs)
    expect(row.charges).toBe(row.jobs)
    expect(row.free).toBe(5)
    expect(row.credits).toBeGreaterThanOrEqual(0)
  }
})

test('two customers with the same idempotency key in one call get a job each', async () => {
  const customers = await Promise.all([createCustomer(context.database), createCustomer(context.database)])
  const submit = open()
  // The first of a month goes singly; what comes after goes together.
  await Promise.all(customers.map(({ key }) => submit(order(key))))
  const answers = await Promise.all(
    [...customers, ...customers].map(({ key }) => submit(order(key, { idempotencyKey: 'same' }))),
  )
  expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['created', 'created', 'replay', 'replay'])
  expect(new Set(answers.map(({ job_id }) => job_id)).size).toBe(2)
})

test('a database that is away fails every waiting submit, and the next one works again', async () => {
  const customer = await createCustomer(context.database)
  const submit = open()
  const broken = createSubmitCalls(
    {
      ...context.database,
      prepared: () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })),
    },
    { freePerMonth: 5, uploadSeconds: 3600 },
  )
  const answers = await Promise.allSettled(Array.from({ length: 10 }, () => broken(order(customer.key))))
  expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
  expect((await submit(order(customer.key))).outcome).toBe('created')
})

test('callers that meet on the first submits of a month do not lock each other out', async () => {
  const { database } = context
  const fails: unknown[] = []
  for (let round = 0; round < 15; round++) {
    const customers = await Promise.all(Array.from({ length: 8 }, () => createCustomer(database)))
    const callers = [open(), open(), open()]
    const answers = await Promise.allSettled(
      Array.from({ length: 240 }, (_, n) =>
        callers[n % 3]?.(order(customers[(n * 5 + round) % 8]?.key as string)),
      ),
    )
    fails.push(...answers.filter(({ status }) => status === 'rejected'))
  }
  expect(fails).toEqual([])
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(database.kysely)
  expect(rows).toEqual([{ deadlocks: 0 }])
})
