import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createAccounts } from '../../src/accounts/accounts.ts'
import { hashKey, makeKey } from '../../src/accounts/api-key.ts'
import { findLedgerDrift } from '../../src/db/accounts.ts'
import { databaseUnavailable } from '../../src/db/connection-errors.ts'
import { createSubmitCalls, type SubmitOrder, submitTogether } from '../../src/db/submit.ts'
import { anyOrder, createCustomer, useDatabase } from '../support/database.ts'
import { untilLockWait } from '../support/until-lock-wait.ts'

const context = useDatabase()
const order = (key: string, changes: Partial<SubmitOrder> = {}): SubmitOrder => ({
  ...anyOrder,
  keyHash: hashKey(key),
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
  const answers = await Promise.all(
    [...customers, ...customers].map(({ key }) => submit(order(key, { idempotencyKey: 'same' }))),
  )
  expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['created', 'created', 'replay', 'replay'])
  expect(new Set(answers.map((answer) => 'jobId' in answer && answer.jobId)).size).toBe(2)
})

test('a database that is away fails every waiting submit, and the next one works again', async () => {
  const customer = await createCustomer(context.database)
  const submit = open()
  const broken = createSubmitCalls(
    {
      ...context.database,
      prepared: () => Promise.reject(databaseUnavailable(new Error('gone'))),
    },
    { freePerMonth: 5, uploadSeconds: 3600 },
  )
  const answers = await Promise.allSettled(Array.from({ length: 10 }, () => broken(order(customer.key))))
  expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
  expect((await submit(order(customer.key))).outcome).toBe('created')
})

test('calls that name the same accounts in another order, in their first minute of a month, do not lock each other out', async () => {
  const { database } = context
  for (let round = 0; round < 20; round++) {
    const customers = await Promise.all(Array.from({ length: 6 }, () => createCustomer(database)))
    const [one, other] = [open(), open()]
    const answers = await Promise.all([
      ...customers.map(({ key }) => one(order(key))),
      ...customers.toReversed().map(({ key }) => other(order(key))),
    ])
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['created']))
  }
  expect(await findLedgerDrift(database.kysely)).toEqual([])
})

test('a dear order that cannot be paid does not keep a cheap one behind it from being made', async () => {
  const customer = await createCustomer(context.database)
  await createAccounts(context.database).grant(customer.accountId, 1, 'test')
  const terms = { freePerMonth: 0, uploadSeconds: 3600 }
  const orders = [order(customer.key, { cost: 4 }), order(customer.key), order(customer.key)]
  const outcomes = (await submitTogether(context.database, orders, terms)).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['no-credits', 'created', 'no-credits'])
})

test('credits that are taken away at that moment refuse the one who would have spent them, and no other', async () => {
  const { database } = context
  const [poor, rich] = [await createCustomer(database), await createCustomer(database)]
  for (const { accountId } of [poor, rich]) await createAccounts(database).grant(accountId, 1, 'test')
  const holder = new pg.Client({ connectionString: database.connectionString })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('update accounts set credits = 0 where id = $1', [poor.accountId])
    await holder.query(
      `insert into ledger (account_id, kind, credits, reason) values ($1, 'grant', -1, 'taken away')`,
      [poor.accountId],
    )
    const submit = createSubmitCalls(database, { freePerMonth: 0, uploadSeconds: 3600 })
    const answers = [submit(order(poor.key)), submit(order(rich.key))]
    await untilLockWait(holder)
    await holder.query('commit')
    expect((await Promise.all(answers)).map(({ outcome }) => outcome)).toEqual(['no-credits', 'created'])
  } finally {
    await holder.end()
  }
})
