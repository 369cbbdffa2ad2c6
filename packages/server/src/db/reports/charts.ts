import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import { queryRows } from '../query.ts'
import type { Span } from './roll-up.ts'

// The queries behind the console's charts and tables; they read the counts of roll-up.ts.

export interface ChartPoint {
  start: Date
  done: number
  failed: number
  /** Milliseconds; null when nothing was converted. */
  p50: number | null
  p95: number | null
  /** Milliseconds from upload to start, on average and at most. */
  wait: number | null
  longestWait: number | null
}

// The midpoint of a speed class, in milliseconds.
const millisecondsOf = (speed: number | null) => (speed === null ? null : 2 ** ((speed - 0.5) / 4))

const notFailures = sql`('done', 'cancelled')`

export async function readChart(db: Db, span: Span, seconds: number): Promise<ChartPoint[]> {
  const [counts, classes] = await Promise.all([
    sql<{ start: Date; done: number; failed: number; wait: number | null; longestWait: number | null }>`
      select start, coalesce(sum(jobs) filter (where result = 'done'), 0)::integer as done,
             coalesce(sum(jobs) filter (where result not in ${notFailures}), 0)::integer as failed,
             (sum(wait_ms) / nullif(sum(jobs), 0))::float8 as wait, max(longest_wait_ms)::float8 as "longestWait"
      from job_counts where span = ${span} and start > now() - make_interval(secs => ${seconds})
      group by start order by start`.execute(db),
    sql<{ start: Date; p50: number | null; p95: number | null }>`
      with classes as (
        select start, speed, sum(jobs) as jobs from job_counts
        where span = ${span} and start > now() - make_interval(secs => ${seconds}) and result = 'done'
        group by start, speed
      ), running as (
        select start, speed, sum(jobs) over (partition by start order by speed) as up_to,
               sum(jobs) over (partition by start) as all_jobs
        from classes
      )
      select start, min(speed) filter (where up_to >= all_jobs * 0.5) as p50,
             min(speed) filter (where up_to >= all_jobs * 0.95) as p95
      from running group by start`.execute(db),
  ])
  const classesOf = new Map(classes.rows.map((row) => [row.start.getTime(), row]))
  return counts.rows.map((row) => {
    const found = classesOf.get(row.start.getTime())
    return { ...row, p50: millisecondsOf(found?.p50 ?? null), p95: millisecondsOf(found?.p95 ?? null) }
  })
}

export interface PairFigures {
  pair: string
  done: number
  failed: number
  p50: number | null
  p95: number | null
  retries: number
  bytes: number
}

export async function readPairs(db: Db, span: Span, seconds: number): Promise<PairFigures[]> {
  const rows = await queryRows<PairFigures>(db)`
    with counts as (
      select pair, result, speed, sum(jobs) as jobs, sum(retries) as retries, sum(bytes) as bytes
      from job_counts where span = ${span} and start > now() - make_interval(secs => ${seconds})
      group by pair, result, speed
    ), running as (
      select pair, speed, sum(jobs) over (partition by pair order by speed) as up_to,
             sum(jobs) over (partition by pair) as all_jobs
      from counts where result = 'done'
    ), percentiles as (
      select pair, min(speed) filter (where up_to >= all_jobs * 0.5) as p50,
             min(speed) filter (where up_to >= all_jobs * 0.95) as p95
      from running group by pair
    )
    select pair, coalesce(sum(jobs) filter (where result = 'done'), 0)::integer as done,
           coalesce(sum(jobs) filter (where result not in ${notFailures}), 0)::integer as failed,
           max(p50) as p50, max(p95) as p95, sum(retries)::integer as retries, sum(bytes)::bigint as bytes
    from counts left join percentiles using (pair)
    group by pair order by sum(jobs) desc, pair`
  return rows.map((row) => ({ ...row, p50: millisecondsOf(row.p50), p95: millisecondsOf(row.p95) }))
}

/** How jobs failed, most often first; among them those that the operator cancelled. */
export const readFailures = (db: Db, span: Span, seconds: number) =>
  queryRows<{ reason: string; jobs: number }>(db)`
    select result as reason, sum(jobs)::integer as jobs from job_counts
    where span = ${span} and start > now() - make_interval(secs => ${seconds}) and result <> 'done'
    group by result order by 2 desc, 1`
