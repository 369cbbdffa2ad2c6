import { sql } from 'kysely'
import type { Database } from './connect.ts'

export interface AccountLoad {
  accountId: string
  /** Jobs that wait for a worker or run. */
  unended: number
  /** What the jobs that failed within the last hour have run, in seconds. */
  failedSeconds: number
}

/**
 * The accounts that have jobs waiting or running, or that failed within the hour. Counts no more waiting jobs than
 * `most`. What failed through no fault of the file is not counted, nor is what failed within a second.
 */
export async function readAccountLoad({ kysely }: Database, most: number): Promise<AccountLoad[]> {
  const { rows } = await sql<AccountLoad>`
    select account_id as "accountId", sum(unended)::integer as unended, sum(failed)::float8 as "failedSeconds"
    from (
      (select account_id, 1 as unended, 0 as failed from jobs
       where status = 'queued' and uploaded_at is not null limit ${most})
      union all
      select account_id, 1, 0 from jobs where status = 'processing'
      union all
      select account_id, 0, run_seconds from jobs
      where status = 'failed' and finished_at > now() - interval '1 hour'
        and failure_word <> 'internal' and run_seconds >= 1
    ) parts
    group by account_id`.execute(kysely)
  return rows
}
