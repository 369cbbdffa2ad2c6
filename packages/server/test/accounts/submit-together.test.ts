import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createAccounts } from '../../src/accounts/accounts.ts'
import { hashKey, makeKey } from '../../src/accounts/api-key.ts'
import { findLedgerDrift } from '../../src/db/accounts.ts'
import { createSubmitCalls, type SubmitOrder } from '../../src/db/submit-together.ts'
import { type Customer, createCustomer, useDatabase } from '../support/database.ts'

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

test('an account whose month begins while others are locked is left for later, not locked out of turn', async () => {
  const { database } = context
  const [early, late] = (await Promise.all([createCustomer(database), createCustomer(database)])) as [
    Customer,
    Customer,
  ]
  const submit = open()
  await submit(order(early.key))
  const holder = new pg.Client({ connectionString: database.connectionString })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('select from usage_windows where account_id = $1 for update', [early.accountId])
    const keys = [early.key, late.key].map(hashKey)
    const together = database.prepared<{ place: number }>(
      'submit-conversions',
      'select * from submit_conversions($1, $2, $3, $4, $5, $6, $7, $8)',
      [keys, ['md-to-html', 'md-to-html'], ['document', 'document'], [1, 1], [1, 1], [null, null], 5, 3600],
    )
    await untilSomebodyWaits(holder)
    await submit(order(late.key))
    await holder.query('commit')
    expect((await together).map(({ place }) => place)).toEqual([1])
  } finally {
    await holder.end()
  }
})

async function untilSomebodyWaits(client: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rowCount) return
    await delay(10)
  }
}
