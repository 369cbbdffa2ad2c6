import type { Client } from 'pg'
import { connectDatabase } from '../../packages/server/src/db/connect.ts'
import { openPgBossQueue } from '../../packages/server/src/queue/pg-boss.ts'
import { onDatabase } from './environment.ts'

// Fills the tables as months of work would: ended jobs with their charges, and jobs that were
// uploaded and wait, each with its row in the queue.

export interface Fill {
  finished: number
  queued: number
}

export async function fillTables(databaseUrl: string, { finished, queued }: Fill): Promise<void> {
  await onDatabase(databaseUrl, async (client) => {
    await client.query('set synchronous_commit = off')
    const { rowCount: owners } = await client.query(
      `create temporary table owners as select id, (row_number() over ())::int - 1 as place from accounts`,
    )
    await client.query('analyze owners')
    const indexes = await dropIndexes(client)
    // One in a hundred still has its output; one in ten came with an idempotency key.
    await client.query(
      `insert into jobs (account_id, pair, lane, bytes, status, outcome, failure_word, failure_sentence, idempotency_key, created_at,
                         upload_expires_at, uploaded_at, attempt, started_at, finished_at, expires_at,
                         output_object, output_bytes)
       select o.id, 'md-to-html', 'document', 1000 + n % 5000,
              case when n % 20 = 0 then 'failed' else 'done' end,
              case when n % 20 = 0 then 'failed' else 'done' end,
              case when n % 20 = 0 then 'corrupt-input' end,
              case when n % 20 = 0 then 'The file is damaged.' end,
              case when n % 10 = 0 then 'key-' || n end,
              t, t + interval '1 hour', t + interval '1 second', 1, t + interval '2 seconds',
              t + interval '3 seconds', case when n % 20 <> 0 then t + interval '1 hour' end,
              case when n % 100 = 1 then 'out/' || gen_random_uuid() || '.1' end,
              case when n % 20 <> 0 then 2000 end
       from generate_series(1, $1::int) n
       join owners o on o.place = n % $2::int
       cross join lateral (select now() - interval '29 days' * (1 - n / $1::float)) made (t)`,
      [finished, owners],
    )
    await client.query(
      `insert into jobs (account_id, pair, lane, bytes, created_at, upload_expires_at, uploaded_at, turn)
       select o.id, 'md-to-html', 'document', 1000, now() - interval '10 minutes', now() + interval '50 minutes',
              now() - interval '9 minutes', n / $2::int
       from generate_series(0, $1::int - 1) n join owners o on o.place = n % $2::int`,
      [queued, owners],
    )
    await client.query(
      `insert into ledger (account_id, job_id, kind, credits, window_start, reason, created_at)
       select account_id, id, 'charge', -1, date_trunc('month', created_at)::date, pair, created_at from jobs`,
    )
    // Built at once they take a fraction of the time that a million insertions take.
    for (const definition of indexes) await client.query(definition)
  })
  await enqueueWaitingJobs(databaseUrl)
  await onDatabase(databaseUrl, async (client) => {
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  })
}

/** Drops the indexes that no constraint needs; gives the statements that make them again. */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid in ('jobs'::regclass, 'ledger'::regclass)
       and not exists (select from pg_constraint where conindid = i.indexrelid)`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/** One row is made by the queue itself; all others are its copies, so they are as the queue makes them. */
async function enqueueWaitingJobs(databaseUrl: string): Promise<void> {
  const database = connectDatabase(databaseUrl, 2)
  const queue = await openPgBossQueue({ database, onError: () => {} })
  const pattern = '00000000-0000-4000-8000-000000000000'
  const work = { jobId: pattern, lane: 'document', accountId: pattern, turn: 0 } as const
  await database.kysely.transaction().execute((trx) => queue.enqueue(trx, work))
  await queue.close()
  await database.close()
  await onDatabase(databaseUrl, async (client) => {
    await client.query('set synchronous_commit = off')
    const { rows } = await client.query<{ column: string }>(
      `select column_name as column from information_schema.columns
       where table_schema = 'pgboss' and table_name = 'job' and is_generated = 'NEVER'`,
    )
    const own: Record<string, string> = {
      id: 'j.id',
      data: `jsonb_build_object('jobId', j.id, 'lane', j.lane, 'accountId', j.account_id)`,
      group_id: 'j.account_id',
      priority: '-j.turn',
    }
    const columns = rows.map(({ column }) => column)
    await client.query(
      `insert into pgboss.job (${columns.join(', ')})
       select ${columns.map((column) => own[column] ?? `q.${column}`).join(', ')}
       from jobs j cross join pgboss.job q
       where q.id = $1 and j.status = 'queued' and j.uploaded_at is not null`,
      [pattern],
    )
    await client.query('delete from pgboss.job where id = $1', [pattern])
  })
}
