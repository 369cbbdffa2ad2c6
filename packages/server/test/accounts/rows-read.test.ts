import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { hashKey } from '../../src/accounts/api-key.ts'
import { connectDatabase, type Db, patientConnectMilliseconds } from '../../src/db/connect.ts'
import { readJobsForKeys } from '../../src/db/jobs-of-key.ts'
import { submitTogether } from '../../src/db/submit.ts'
import { anyOrder, createCustomer, useDatabase } from '../support/database.ts'

// PostgreSQL counts reads per database, and receives the counts of a connection up to ten seconds later. So this
// database is used by one connection, which flushes its counts on request.

const context = useDatabase()

/** Prevents autovacuum from analysing tables at any moment, which would invalidate plans. */
async function holdStatisticsBack(db: Db): Promise<void> {
  for (const table of ['accounts', 'api_keys', 'jobs', 'ledger', 'usage_windows'])
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = off)`.execute(db)
}

test('no submit and no poll reads a table or an index from end to end, on a service whose tables were empty at its start', async () => {
  const connection = connectDatabase(context.database.connectionString, 1, {
    connectMilliseconds: patientConnectMilliseconds,
  })
  const rowsRead = async () => {
    // The counters of a connection are published when it is idle, unless they are asked for.
    await sql`select pg_stat_force_next_flush()`.execute(connection.kysely)
    const { rows } = await sql<{ fromTables: number; fromIndexes: number }>`
      select (select sum(seq_tup_read) from pg_stat_user_tables)::integer as "fromTables",
             (select sum(idx_tup_read) from pg_stat_user_indexes)::integer as "fromIndexes"`.execute(
      connection.kysely,
    )
    return rows[0] as (typeof rows)[number]
  }
  try {
    await holdStatisticsBack(connection.kysely)
    const customers = await Promise.all(Array.from({ length: 20 }, () => createCustomer(connection)))
    const submit = async () => {
      const orders = customers.map(({ key }) => ({
        ...anyOrder,
        keyHash: hashKey(key),
        idempotencyKey: randomUUID(),
      }))
      const made = await submitTogether(connection, orders, { freePerMonth: 1000, uploadSeconds: 3600 })
      const asked = made.map((one, at) => ({
        keyHash: orders[at]?.keyHash as Buffer,
        jobId: 'jobId' in one ? one.jobId : randomUUID(),
      }))
      expect(await readJobsForKeys(connection, asked)).toMatchObject(
        asked.map(({ jobId }) => ({ id: jobId, status: 'queued' })),
      )
    }
    for (let times = 0; times < 10; times++) await submit()
    // The month goes on, and others come.
    await sql`insert into usage_windows (account_id, window_start)
      select gen_random_uuid(), date_trunc('month', now() at time zone 'utc')::date
      from generate_series(1, 1000)`.execute(connection.kysely)
    const before = await rowsRead()
    for (let times = 0; times < 10; times++) await submit()
    const after = await rowsRead()
    expect(after.fromTables).toBe(before.fromTables)
    const orders = 10 * customers.length
    expect((after.fromIndexes - before.fromIndexes) / orders).toBeLessThan(15)
  } finally {
    await connection.close()
  }
})
