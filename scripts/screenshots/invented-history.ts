import type { ConversionReport } from '@kiln/contract'
import pg from 'pg'

// A month of invented work: more by day than by night, some failures, a few jobs that wait and run. The
// numbers come from a seed, so that the pictures of two versions can be compared.

export interface Invented {
  account: string
  /** A job that is done, with a report. */
  job: string
}

const names = [
  'Northwind Archive',
  'Atelier Lumen',
  'Municipal Library',
  'Papertrail',
  'Studio Kestrel',
  'Ledgerly',
]

export async function fillWithHistory(connectionString: string): Promise<Invented> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('select setseed(0.42)')
    for (const name of names) {
      await client.query(
        "insert into accounts (name, created_at) values ($1, now() - random() * interval '200 days')",
        [name],
      )
    }
    await client.query(
      `insert into api_keys (account_id, hash, hint, created_at)
       select id, sha256(id::text::bytea), 'kiln_live_…' || upper(substr(md5(id::text), 1, 4)), created_at from accounts
       where name = any ($1)`,
      [names],
    )
    await client.query(counts)
    await client.query(endedJobs, [names])
    await client.query(usage)
    await client.query(activeJobs, [names])
    const account = await client.query<{ id: string }>('select id from accounts where name = $1', [names[0]])
    const job = await client.query<{ id: string }>(
      `update jobs set report = $1 where id in
         (select id from jobs where status = 'done' and pair = 'docx-to-pdf' order by finished_at desc limit 1)
       returning id`,
      [report],
    )
    return { account: account.rows[0]?.id ?? '', job: job.rows[0]?.id ?? '' }
  } finally {
    await client.end()
  }
}

const report: ConversionReport = {
  engine: { name: 'libreoffice', version: '7.4.7.2' },
  seconds: 0.31,
  input: { bytes: 412_640, pages: 12, words: 4_318, pictures: 6, seconds: null },
  output: { bytes: 286_112, pages: 12, words: 4_318, pictures: 6, seconds: null },
  fonts: [
    { font: 'Calibri', by: 'Carlito', widths: 'same' },
    { font: 'Brandon Grotesque', by: 'DejaVu Sans', widths: 'other' },
  ],
  recognized: null,
  leftOut: [{ what: 'macros', count: 1 }],
  streams: [],
  warnings: [
    'Fonts that are not there were replaced (Brandon Grotesque by DejaVu Sans): lines and pages may break elsewhere.',
    'The document holds macros. They did not run, and the output has none.',
  ],
  more: { fonts: 0, leftOut: 0, streams: 0, warnings: 0 },
}

const pairs = `(values ('docx-to-pdf', 30, 0.28, 'office'), ('pdf-to-docx', 14, 1.9, 'pdf'), ('md-to-html', 12, 0.11, 'document'),
  ('xlsx-to-pdf', 9, 0.42, 'office'), ('html-to-pdf', 8, 0.75, 'document'), ('mov-to-mp4', 3, 24.0, 'video'),
  ('epub-to-pdf', 2, 1.3, 'document')
) as p (pair, share, seconds, lane)`

// Work follows the hour of the day: a smooth hill with its top in the early afternoon.
const counts = `
insert into job_counts
select span, start, pair, result, least(200, ceil(4 * ln(greatest(ms, 1)) / ln(2)))::smallint, sum(n),
       sum(n) * 180000, sum(n) * 90000, sum(n * ms)::bigint, sum(n * wait)::bigint, max(wait * 6)::bigint, 0
from (
  select span, start, pair, result,
         floor(share * span / 600.0 * busy * (0.6 + random() * 0.8)
           * case when result = 'done' then 0.8 else 0.012 end + random())::integer as n,
         seconds * 1000 * slow * (0.85 + random() * 0.3) as ms,
         30 + 400 * busy * busy * random() as wait
  from (
    select s.span, to_timestamp(floor(extract(epoch from t) / s.span) * s.span) as start,
           0.25 + 0.75 * greatest(0, sin((extract(hour from t) + extract(minute from t) / 60.0 - 5) / 17 * pi())) as busy
    from (values (60, 3600), (600, 86400), (21600, 2592000)) s (span, seconds),
         generate_series(now() - make_interval(secs => s.seconds), now(), make_interval(secs => s.span)) t
  ) times, ${pairs}, (values ('done'), ('corrupt-input'), ('password-protected'), ('timeout')) r (result),
  (values (0.8), (1.0), (1.1), (2.6)) v (slow)
) made
where n > 0
group by 1, 2, 3, 4, 5
on conflict do nothing`

const endedJobs = `
with made as (
  insert into jobs (account_id, pair, lane, bytes, status, outcome, failure_word, failure_sentence, created_at,
                    upload_expires_at, uploaded_at, attempt, started_at, finished_at, expires_at, output_bytes)
  select a.id, pair, lane, (20000 + random() * 4000000)::bigint, s.status, s.status,
         case when s.status = 'failed' then 'corrupt-input' end,
         case when s.status = 'failed' then 'The file is damaged and cannot be opened. Send a whole copy.' end,
         t - interval '3 seconds', t + interval '1 hour', t - interval '1 second', 1,
         t - interval '400 milliseconds', t + make_interval(secs => seconds * (0.7 + random())),
         case when s.status = 'done' then t + interval '1 hour' end,
         case when s.status = 'done' then (20000 + random() * 900000)::bigint end
  from generate_series(240, 1, -1) n
  cross join lateral (select now() - interval '70 seconds' - n * interval '90 seconds' - random() * interval '40 seconds' as t) times
  cross join lateral (select * from ${pairs} order by random() * share + n * 0 desc limit 1) p
  cross join lateral (select case when n % 14 = 3 then 'failed' else 'done' end as status) s
  cross join lateral (select id from accounts where name = any ($1) order by random() + n * 0 limit 1) a
  returning id, account_id, pair, status, created_at, finished_at
), charged as (
  insert into ledger (account_id, job_id, kind, credits, free, window_start, reason, created_at)
  select account_id, id, 'charge', 0, -1, date_trunc('month', now())::date, pair, created_at from made
)
insert into ledger (account_id, job_id, kind, credits, free, window_start, reason, created_at)
select account_id, id, 'refund', 0, 1, date_trunc('month', now())::date, 'corrupt-input: The file is damaged.', finished_at
from made where status = 'failed'`

const usage = `
insert into usage_windows (account_id, window_start, jobs, bytes, free_used)
select id, date_trunc('month', now() at time zone 'utc')::date, (40 + random() * 900)::integer,
       (random() * 4e9)::bigint, least(50, (5 + random() * 70)::integer)
from accounts where name not like 'first%'
on conflict do nothing`

const activeJobs = `
insert into jobs (account_id, pair, lane, bytes, status, created_at, upload_expires_at, uploaded_at, turn, attempt,
                  started_at, progress)
select (select id from accounts where name = any ($1) order by random() limit 1), pair, lane, bytes, status,
       now() - interval '20 seconds', now() + interval '1 hour', now() - make_interval(secs => waited), 1,
       case when status = 'processing' then 1 else 0 end,
       case when status = 'processing' then now() - make_interval(secs => waited - 1) end, progress
from (values ('mov-to-mp4', 'video', 182000000, 'processing', 46, 0.62), ('mkv-to-mp4', 'video', 96000000, 'queued', 31, null),
             ('pdf-to-docx', 'pdf', 3400000, 'processing', 3, null), ('docx-to-pdf', 'office', 420000, 'processing', 2, null),
             ('pptx-to-pdf', 'office', 8200000, 'queued', 2, null)) w (pair, lane, bytes, status, waited, progress)`
