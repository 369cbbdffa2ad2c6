import { afterAll, beforeAll } from 'vitest'
import { createAccounts } from '../../src/accounts/accounts.ts'
import { hashKey } from '../../src/accounts/api-key.ts'
import { connectDatabase, type Database } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { callSubmit, type SubmitArguments } from '../../src/db/submit.ts'
import { openPgBossQueue } from '../../src/queue/pg-boss.ts'
import { createFreshDatabase, type TemporaryDatabase } from './temporary-postgres.ts'

/** A database with all tables, for the test file that calls it. */
export function useDatabase(): { readonly database: Database } {
  let temporary: TemporaryDatabase
  let database: Database
  beforeAll(async () => {
    temporary = await createFreshDatabase({ prepare: makeTables, template: 'service' })
    database = connectDatabase(temporary.connectionString, 10)
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
  const queue = await openPgBossQueue({ database, supervise: false, onError: () => {} })
  await queue.close()
  await database.close()
}

export interface Customer {
  accountId: string
  key: string
  submit(changes?: Partial<SubmitArguments>): ReturnType<typeof callSubmit>
  /** Submits, and expects a job. */
  job(changes?: Partial<SubmitArguments>): Promise<string>
}

export async function createCustomer(database: Database, name = 'customer'): Promise<Customer> {
  const { account, key } = await createAccounts(database).create(name)
  const submit: Customer['submit'] = (changes = {}) =>
    callSubmit(database, {
      keyHash: hashKey(key.key),
      pair: 'md-to-html',
      lane: 'document',
      bytes: 10,
      cost: 1,
      idempotencyKey: null,
      refusal: null,
      freePerMonth: 50,
      uploadSeconds: 3600,
      ...changes,
    })
  return {
    accountId: account.id,
    key: key.key,
    submit,
    async job(changes) {
      const row = await submit(changes)
      if (!row.job_id) throw new Error(`submit answered ${row.outcome}`)
      return row.job_id
    },
  }
}
