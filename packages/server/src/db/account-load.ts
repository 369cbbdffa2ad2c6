import type { Database } from './connect.ts'
import { queryRows } from './query.ts'

export interface AccountLoad {
  accountId: string
  parentId: string | null
  /** Jobs that wait for a worker or run. */
  unended: number
  /** CPU time, in seconds, of attempts without an output within the last hour. */
  unpaidSeconds: number
  /** The part of it that ended with an internal error. */
  internalSeconds: number
}

/**
 * The accounts that have jobs waiting or running, or jobs that failed within the hour. Counts at maxJobs `maxJobs` waiting
 * jobs.
 */
export const readAccountLoad = ({ kysely }: Database, maxJobs: number) =>
  queryRows<AccountLoad>(kysely)`
    select parts.account_id as "accountId", a.parent_id as "parentId", sum(unended)::integer as unended,
      sum(unpaid)::float8 as "unpaidSeconds", sum(internal)::float8 as "internalSeconds"
    from (
      (select account_id, 1 as unended, 0 as unpaid, 0 as internal from jobs
       where status = 'queued' and uploaded_at is not null limit ${maxJobs})
      union all
      select account_id, 1, cpu_seconds, cpu_seconds from jobs where status = 'processing'
      union all
      select account_id, 0, cpu_seconds, case when failure_word = 'internal' then cpu_seconds else 0 end from jobs
      where status = 'failed' and finished_at > now() - interval '1 hour' and cpu_seconds > 0
    ) parts
    join accounts a on a.id = parts.account_id
    group by parts.account_id, a.parent_id`

/** These parents, and their child accounts. */
export async function readFamilies({ kysely }: Database, parentIds: readonly string[]): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(kysely)`
    select id from accounts where id = any (${parentIds}::uuid[]) or parent_id = any (${parentIds}::uuid[])`
  return rows.map(({ id }) => id)
}
