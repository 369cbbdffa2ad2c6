import { afterAll, beforeAll } from 'vitest'
import { createAccounts } from '../../src/accounts/accounts.ts'
import { hashKey } from '../../src/accounts/api-key.ts'
import { connectDatabase, type Database, patientConnectMilliseconds } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { type SubmitOrder, type SubmitTerms, type Submitted, submitTogether } from '../../src/db/submit.ts'
import { openPgBossQueue } from '../../src/queue/pg-boss.ts'
import { createFreshDatabase, type TemporaryDatabase } from './temporary-postgres.ts'

/** A database with all tables, for the test file that calls it. */
export function useDatabase(): { readonly database: Database } {
  let temporary: TemporaryDatabase
  let database: Database
  beforeAll(async () => {
    temporary = await createFreshDatabase({ prepare: makeTables, template: 'service' })
    database = connectDatabase(temporary.connectionString, 10, {
      connectMilliseconds: patientConnectMilliseconds,
    })
  })
  afterAll(async () => {
    await database.close()
    await temporary.drop()
  })
  return {
    get database() {
      return database
    },
  }
}

async function makeTables(connectionString: string): Promise<void> {
  const database = connectDatabase(connectionString, 2)
  await migrate(database)
  const queue = await openPgBossQueue({ database, onError: () => {} })
  await queue.close()
  await database.close()
}

export interface Customer {
  accountId: string
  key: string
  submit(changes?: Partial<SubmitOrder & SubmitTerms>): Promise<Submitted>
  /** Submits, and expects a job. */
  job(changes?: Partial<SubmitOrder & SubmitTerms>): Promise<string>
}

/** Everything of an order but the key. */
export const anyOrder = {
  pair: 'md-to-html',
  lane: 'document',
  bytes: 10,
  cost: 1,
  idempotencyKey: null,
  refusal: null,
  traceParent: null,
}

export async function createCustomer(database: Database, name = 'customer'): Promise<Customer> {
  const { account, key } = await createAccounts(database).create(name)
  const submit: Customer['submit'] = async ({ freePerMonth = 50, uploadSeconds = 3600, ...changes } = {}) => {
    const order = { ...anyOrder, keyHash: hashKey(key.key), ...changes }
    const [submitted] = await submitTogether(database, [order], { freePerMonth, uploadSeconds })
    return submitted as Submitted
  }
  return {
    accountId: account.id,
    key: key.key,
    submit,
    async job(changes) {
      const submitted = await submit(changes)
      if (!('jobId' in submitted)) throw new Error(`submit answered ${submitted.outcome}`)
      return submitted.jobId
    },
  }
}
