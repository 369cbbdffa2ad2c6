import type { Db } from '../connect.ts'
import { queryOne, queryRows } from '../query.ts'

// The current state. Every query uses a partial index of jobs that wait, run or are kept, so that a million ended jobs
// cost nothing. The metrics are read with the same queries.

export interface LaneState {
  lane: string
  waiting: number
  /** How long the oldest waiting job has waited, in seconds. */
  oldestSeconds: number
  running: number
}

/** One row for each given lane, in the given order. */
export async function readLanes(db: Db, lanes: readonly string[]): Promise<LaneState[]> {
  const rows = await queryRows<LaneState>(db)`
    select lane, sum(waiting)::integer as waiting, coalesce(max(oldest), 0)::float8 as "oldestSeconds",
           sum(running)::integer as running
    from (
      select lane, count(*) as waiting, extract(epoch from now() - min(uploaded_at)) as oldest, 0 as running
      from jobs where status = 'queued' and uploaded_at is not null group by lane
      union all
      select lane, 0, null, count(*) from jobs where status = 'processing' group by lane
    ) both_kinds
    group by lane`
  const idle = { waiting: 0, oldestSeconds: 0, running: 0 }
  return lanes.map((lane) => rows.find((row) => row.lane === lane) ?? { lane, ...idle })
}

export interface RunningJob {
  id: string
  pair: string
  lane: string
  bytes: number
  attempt: number
  progress: number | null
  seconds: number
}

export const readRunning = (db: Db, limit: number) =>
  queryRows<RunningJob>(db)`
    select id, pair, lane, bytes, attempt, progress, extract(epoch from now() - started_at)::float8 as seconds
    from jobs where status = 'processing' order by started_at limit ${limit}`

/** Jobs that ended within the last minute. */
export const readLastMinute = (db: Db) =>
  queryOne<{ done: number; failed: number }>(db)`
    select count(*) filter (where status = 'done')::integer as done,
           count(*) filter (where status = 'failed' and failure_word <> 'cancelled')::integer as failed
    from jobs where finished_at > now() - interval '1 minute'`

export interface Holdings {
  outputs: number
  outputBytes: number
  /** Outputs that should have been deleted more than two minutes ago: above 0 the sweeper does not keep up. */
  overdueOutputs: number
  nextExpiry: Date | null
  inputs: number
  inputBytes: number
  awaitedUploads: number
  oldestRecord: Date | null
  databaseBytes: number
}

export const readHoldings = (db: Db) =>
  queryOne<Holdings>(db)`
    select * from
      (select count(*)::integer as outputs, coalesce(sum(output_bytes), 0)::bigint as "outputBytes",
              count(*) filter (where expires_at < now() - interval '2 minutes')::integer as "overdueOutputs",
              min(expires_at) as "nextExpiry"
       from jobs where output_object is not null) outputs,
      (select coalesce(sum(n), 0)::integer as inputs, coalesce(sum(b), 0)::bigint as "inputBytes" from (
         select count(*) as n, sum(bytes) as b from jobs where status = 'queued' and uploaded_at is not null
         union all select count(*), sum(bytes) from jobs where status = 'processing') held) inputs,
      (select count(*)::integer as "awaitedUploads" from jobs
       where status = 'queued' and uploaded_at is null) awaited,
      (select min(finished_at) as "oldestRecord" from jobs where finished_at is not null) records,
      (select pg_database_size(current_database())::bigint as "databaseBytes") size`

export interface MonthFigures {
  accounts: number
  activeAccounts: number
  jobs: number
  bytes: number
  freeUsed: number
  /** Credits that all accounts hold together. */
  credits: number
}

export const readMonth = (db: Db) =>
  queryOne<MonthFigures>(db)`
    select * from
      (select count(*)::integer as accounts, coalesce(sum(credits), 0)::bigint as credits from accounts) a,
      (select count(*) filter (where jobs > 0)::integer as "activeAccounts", coalesce(sum(jobs), 0)::bigint as jobs,
              coalesce(sum(bytes), 0)::bigint as bytes, coalesce(sum(free_used), 0)::bigint as "freeUsed"
       from usage_windows where window_start = date_trunc('month', now() at time zone 'utc')::date) w`
