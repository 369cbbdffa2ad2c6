import { sql } from 'kysely'
import type { Db, Trx } from '../connect.ts'
import { queryOne, run } from '../query.ts'

// The counts behind the charts.
//
// Job records are deleted after some days, and a month of them is too many to count while an operator waits. So a
// periodic task, which one worker runs every few seconds, counts the ended jobs by minute, aggregates minutes into
// spans of ten minutes, and those into spans of six hours. A chart reads the span that gives it about a hundred points.
//
// - A round starts two minutes before the end of the previous one and counts those minutes again, so that an end that
//   was committed late is not missed. Counting twice is harmless: a row is the count, not an increment.
// - A count never decreases. Where records are deleted within minutes, their counts remain.
// - While no job ends, nothing is written, except for one round an hour that removes old entries.
// - After a pause (or on a table that is older than the counts) rounds process the past in steps.
// - `speed` groups conversion times into classes that are 19 % wide (four per doubling). Percentiles are read from the
//   classes, because classes can be added up over spans and pairs, and percentiles cannot.

export const spans = { minute: 60, tenMinutes: 600, sixHours: 21_600 } as const
export type Span = (typeof spans)[keyof typeof spans]

const stepSeconds = 6 * 3600
const againSeconds = 120
// Slightly longer than the charts show.
const kept: readonly (readonly [Span, string])[] = [
  [spans.minute, '3 hours'],
  [spans.tenMinutes, '2 days'],
  [spans.sixHours, '400 days'],
]

/** Counts the jobs that have ended since the last round. True when there is more to count immediately. */
export async function rollUp(db: Db): Promise<boolean> {
  return (await hasNews(db)) && db.transaction().execute(countStep)
}

const beginning = sql`date_trunc('minute', until) - make_interval(secs => ${againSeconds})`

async function hasNews(db: Db): Promise<boolean> {
  const { news } = await queryOne<{ news: boolean }>(db)`
    select coalesce(
      (select until < now() - interval '1 hour' or exists (select from jobs where finished_at >= ${beginning})
       from job_counts_progress), true) as news`
  return news
}

async function countStep(trx: Trx): Promise<boolean> {
  await run(trx)`
      insert into job_counts_progress (until)
      select coalesce(min(finished_at), now()) from jobs where finished_at is not null
      on conflict do nothing`
  const { from, to, more } = await queryOne<{ from: Date; to: Date; more: boolean }>(trx)`
      with bounds as (
        select ${beginning} as from_time from job_counts_progress for update
      )
      select from_time as "from", least(now(), from_time + make_interval(secs => ${stepSeconds})) as "to",
             from_time + make_interval(secs => ${stepSeconds}) < now() as more
      from bounds`
  await countMinutes(trx, from, to)
  await addUp(trx, { fine: spans.minute, coarse: spans.tenMinutes, from, to })
  await addUp(trx, { fine: spans.tenMinutes, coarse: spans.sixHours, from, to })
  await run(trx)`update job_counts_progress set until = ${to}`
  if (!more) await forgetOld(trx)
  return more
}

// Unchanged rows are not written again.
const onConflict = sql`
  on conflict (span, start, pair, result, speed) do update set
    jobs = excluded.jobs, bytes = excluded.bytes, output_bytes = excluded.output_bytes, run_ms = excluded.run_ms,
    wait_ms = excluded.wait_ms, longest_wait_ms = excluded.longest_wait_ms, retries = excluded.retries
  where excluded.jobs > job_counts.jobs`

const countMinutes = (trx: Trx, from: Date, to: Date) =>
  sql`
    insert into job_counts
    select ${spans.minute}::integer, date_trunc('minute', finished_at), pair, result,
           least(200, ceil(4 * ln(greatest(run, 1)) / ln(2::float8)))::smallint as speed,
           count(*), sum(bytes), sum(coalesce(output_bytes, 0)), sum(run)::bigint, sum(wait)::bigint,
           max(wait)::bigint, sum(greatest(attempt - 1, 0))
    from (
      select j.*,
             case when status = 'done' then 'done' else coalesce(failure_word, 'internal') end as result,
             greatest(0, coalesce(extract(epoch from finished_at - started_at) * 1000, 0))::float8 as run,
             greatest(0, coalesce(extract(epoch from started_at - uploaded_at) * 1000, 0))::float8 as wait
      from jobs j where finished_at >= ${from} and finished_at < ${to}
    ) ended
    group by 2, 3, 4, 5
    ${onConflict}`.execute(trx)

/** Aggregates the counts of a finer span into a coarser one, for every coarse span that overlaps the time range. */
const addUp = (trx: Trx, { fine, coarse, from, to }: { fine: Span; coarse: Span; from: Date; to: Date }) =>
  sql`
    insert into job_counts
    select ${coarse}::integer, to_timestamp(floor(extract(epoch from start) / ${coarse}) * ${coarse}),
           pair, result, speed, sum(jobs), sum(bytes), sum(output_bytes), sum(run_ms), sum(wait_ms),
           max(longest_wait_ms), sum(retries)
    from job_counts
    where span = ${fine}
      and start >= to_timestamp(floor(extract(epoch from ${from}::timestamptz) / ${coarse}) * ${coarse})
      and start < ${to}
    group by 2, 3, 4, 5
    ${onConflict}`.execute(trx)

async function forgetOld(trx: Trx): Promise<void> {
  for (const [span, age] of kept) {
    await run(trx)`delete from job_counts where span = ${span} and start < now() - ${age}::interval`
  }
}
