import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createAccounts } from '../../src/accounts/accounts.ts'
import { findAccount, findLedgerDrift } from '../../src/db/accounts.ts'
import { failJob } from '../../src/db/jobs.ts'
import { queryRow } from '../../src/db/query.ts'
import { createCustomer, useDatabase } from '../support/database.ts'

const context = useDatabase()
const failure = { word: 'internal', sentence: 'A test.' } as const
const usage = async (accountId: string) =>
  (await queryRow<{ jobs: number; bytes: number; free_used: number }>(context.database.kysely)`
    select * from usage_windows where account_id = ${accountId}`) ?? { jobs: 0, bytes: 0, free_used: 0 }
/** Moves what the account has used to last month. */
async function backdate(accountId: string): Promise<void> {
  for (const table of ['ledger', 'usage_windows'])
    await sql`update ${sql.table(table)} set window_start = (window_start - interval '1 month')::date
      where account_id = ${accountId}`.execute(context.database.kysely)
}
const credits = async (accountId: string) => (await findAccount(context.database.kysely, accountId))?.credits

describe('submit', () => {
  test('uses the free allowance first, then credits, then refuses', async () => {
    const { database } = context
    const customer = await createCustomer(database)
    await createAccounts(database).grant(customer.accountId, 5, 'test')
    const outcomes: string[] = []
    for (let n = 0; n < 6; n++) outcomes.push((await customer.submit({ freePerMonth: 2, cost: 2 })).outcome)
    expect(outcomes).toEqual(['created', 'created', 'created', 'created', 'no-credits', 'no-credits'])
    expect(await credits(customer.accountId)).toBe(1)
    expect(await usage(customer.accountId)).toMatchObject({ jobs: 4, bytes: 40, free_used: 2 })
    expect(await findLedgerDrift(database.kysely)).toEqual([])
  })

  test('six at once on three credits make exactly three jobs', async () => {
    const { database } = context
    const customer = await createCustomer(database)
    await createAccounts(database).grant(customer.accountId, 3, 'test')
    const answers = await Promise.all(Array.from({ length: 6 }, () => customer.submit({ freePerMonth: 0 })))
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual([
      ...Array(3).fill('created'),
      ...Array(3).fill('no-credits'),
    ])
    expect(await credits(customer.accountId)).toBe(0)
  })

  test('fifty at once with one idempotency key make one job and one charge', async () => {
    const customer = await createCustomer(context.database)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => customer.submit({ idempotencyKey: 'k' })),
    )
    expect(answers.filter(({ outcome }) => outcome === 'created')).toHaveLength(1)
    expect(answers.filter(({ outcome }) => outcome === 'replay')).toHaveLength(49)
    expect(new Set(answers.map((answer) => 'jobId' in answer && answer.jobId)).size).toBe(1)
    expect(await usage(customer.accountId)).toMatchObject({ jobs: 1, free_used: 1 })
  })

  test('a replay comes before the rate and the credits; another body is a mismatch', async () => {
    const customer = await createCustomer(context.database)
    const jobId = await customer.job({ idempotencyKey: 'k' })
    const again = await customer.submit({ idempotencyKey: 'k', refusal: 'rate-limited', freePerMonth: 0 })
    expect(again).toMatchObject({ outcome: 'replay', jobId })
    expect((await customer.submit({ idempotencyKey: 'k', bytes: 11 })).outcome).toBe('mismatch')
    expect((await customer.submit({ idempotencyKey: 'k', pair: 'md-to-rst' })).outcome).toBe('mismatch')
    expect((await customer.submit({ idempotencyKey: 'other', refusal: 'rate-limited' })).outcome).toBe(
      'rate-limited',
    )
  })

  test('a replay gives the upload a fresh hour, as long as it is awaited', async () => {
    const { database } = context
    const customer = await createCustomer(database)
    const jobId = await customer.job({ idempotencyKey: 'k', uploadSeconds: 1 })
    const again = await customer.submit({ idempotencyKey: 'k', uploadSeconds: 3600 })
    const row = await queryRow<{ until: Date }>(database.kysely)`
      select upload_expires_at as until from jobs where id = ${jobId}`
    expect(again).toMatchObject({ outcome: 'replay', uploadExpiresAt: row?.until })
    expect(row?.until.getTime()).toBeGreaterThan(Date.now() + 3_000_000)
  })

  test('the same idempotency key belongs to each account for itself', async () => {
    const [one, two] = [await createCustomer(context.database), await createCustomer(context.database)]
    const jobs = [await one.job({ idempotencyKey: 'k' }), await two.job({ idempotencyKey: 'k' })]
    expect(new Set(jobs).size).toBe(2)
  })

  test('with an unknown or an ended key makes nothing', async () => {
    const { database } = context
    const customer = await createCustomer(database)
    expect((await customer.submit({ keyHash: randomBytes(32) })).outcome).toBe('unknown-key')
    const accounts = createAccounts(database)
    const [key] = await accounts.listKeys(customer.accountId)
    await accounts.revokeKey(key?.id ?? '')
    expect((await customer.submit()).outcome).toBe('unknown-key')
    expect(await usage(customer.accountId)).toMatchObject({ jobs: 0 })
  })
})

describe('refund', () => {
  test('gives a free conversion back once, and leaves the counts of jobs and bytes', async () => {
    const { database } = context
    const customer = await createCustomer(database)
    const jobId = await customer.job()
    for (let n = 0; n < 2; n++) {
      await database.kysely.transaction().execute((trx) => failJob(trx, jobId, failure))
      await sql`select refund_job(${jobId}, 'again')`.execute(database.kysely)
    }
    expect(await usage(customer.accountId)).toMatchObject({ jobs: 1, bytes: 10, free_used: 0 })
    expect(await findLedgerDrift(database.kysely)).toEqual([])
  })

  test('gives a free conversion of last month back as one of this month', async () => {
    const { database } = context
    const customer = await createCustomer(database)
    const jobId = await customer.job({ freePerMonth: 1 })
    await backdate(customer.accountId)
    expect((await customer.submit({ freePerMonth: 1 })).outcome).toBe('created')
    expect((await customer.submit({ freePerMonth: 1 })).outcome).toBe('no-credits')
    await database.kysely.transaction().execute((trx) => failJob(trx, jobId, failure))
    expect((await customer.submit({ freePerMonth: 1 })).outcome).toBe('created')
    expect((await customer.submit({ freePerMonth: 1 })).outcome).toBe('no-credits')
    expect(await findLedgerDrift(database.kysely)).toEqual([])
  })

  test('of last month reaches an account that has not used this month yet', async () => {
    const { database } = context
    const customer = await createCustomer(database)
    const jobId = await customer.job({ freePerMonth: 1 })
    await backdate(customer.accountId)
    await database.kysely.transaction().execute((trx) => failJob(trx, jobId, failure))
    expect((await customer.submit({ freePerMonth: 1 })).outcome).toBe('created')
    expect((await customer.submit({ freePerMonth: 1 })).outcome).toBe('created')
    expect((await customer.submit({ freePerMonth: 1 })).outcome).toBe('no-credits')
    expect(await findLedgerDrift(database.kysely)).toEqual([])
  })

  test('gives credits back', async () => {
    const { database } = context
    const customer = await createCustomer(database)
    await createAccounts(database).grant(customer.accountId, 4, 'test')
    const jobId = await customer.job({ freePerMonth: 0, cost: 4 })
    expect(await credits(customer.accountId)).toBe(0)
    await database.kysely.transaction().execute((trx) => failJob(trx, jobId, failure))
    expect(await credits(customer.accountId)).toBe(4)
    const { entries } = await createAccounts(database).ledger(customer.accountId)
    expect(entries.map(({ kind, credits: delta }) => [kind, delta])).toEqual([
      ['grant', 4],
      ['charge', -4],
      ['refund', 4],
    ])
  })

  test('drift between balance and ledger would be found', async () => {
    const { database } = context
    const customer = await createCustomer(database)
    await sql`update accounts set credits = 7 where id = ${customer.accountId}`.execute(database.kysely)
    expect(await findLedgerDrift(database.kysely)).toEqual([
      { accountId: customer.accountId, what: 'credits', held: 7, ledger: 0 },
    ])
    await sql`update accounts set credits = 0 where id = ${customer.accountId}`.execute(database.kysely)
  })
})

describe('keys', () => {
  test('rotation leaves the old key its overlap; revoking ends it at once', async () => {
    const { database } = context
    const customer = await createCustomer(database)
    const accounts = createAccounts(database)
    const [first] = await accounts.listKeys(customer.accountId)
    const { old, key } = await accounts.rotateKey(first?.id ?? '', 3600)
    expect((old.endsAt as Date).getTime()).toBeGreaterThan(Date.now() + 3_500_000)
    expect((await customer.submit()).outcome).toBe('created')
    await accounts.revokeKey(old.id)
    expect((await customer.submit()).outcome).toBe('unknown-key')
    expect(key.record.endsAt).toBeNull()
    await expect(accounts.rotateKey(old.id, 0)).rejects.toThrow('has ended already')
  })

  test('only a hash of the key is in the database', async () => {
    const customer = await createCustomer(context.database)
    const { rows } = await sql<{ text: string }>`select k::text as text from api_keys k`.execute(
      context.database.kysely,
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { text } of rows) expect(text).not.toContain(customer.key.slice(10, -4))
  })
})
