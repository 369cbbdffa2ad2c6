import type { ConversionReport, FailureWord, JobStatus } from '@kiln/contract'
import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import { queryRow, queryRows } from '../query.ts'

// Job records as the operator sees them: never the content and never the name of a file. Only the report of a job
// contains facts about a document: counts, and the names of substituted fonts.

export interface JobListRow {
  id: string
  accountId: string
  accountName: string | null
  pair: string
  lane: string
  status: JobStatus
  uploaded: boolean
  failureWord: FailureWord | null
  failureSentence: string | null
  bytes: number
  outputBytes: number | null
  attempt: number
  progress: number | null
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
}

/** The position of a job among the ended ones. The time is text, because a Date has no microseconds. */
export interface Cursor {
  finishedAt: string
  id: string
}

export interface JobFilter {
  status: JobListRow['status'] | 'active' | null
  pair: string | null
  account: string | null
  /** A failure word. */
  reason: string | null
  /** Only jobs that ended before this one: the next page. */
  before: Cursor | null
  limit: number
}

const columns = sql`
  j.id, j.account_id as "accountId", a.name as "accountName", j.pair, j.lane, j.status,
  j.uploaded_at is not null as uploaded, j.failure_word as "failureWord",
  j.failure_sentence as "failureSentence", j.bytes,
  j.output_bytes as "outputBytes", j.attempt, j.progress, j.created_at as "createdAt",
  j.started_at as "startedAt", j.finished_at as "finishedAt"`

const conditions = ({ pair, account, reason }: JobFilter) => sql`
  (${pair}::text is null or j.pair = ${pair}) and (${account}::uuid is null or j.account_id = ${account}::uuid)
  and (${reason}::text is null or j.failure_word = ${reason})`

/** Jobs that have not ended, running ones first. Found by partial indexes. */
export async function listActiveJobs(db: Db, filter: JobFilter): Promise<JobListRow[]> {
  const part = (condition: ReturnType<typeof sql>) => sql`
    (select ${columns} from jobs j left join accounts a on a.id = j.account_id
     where ${condition} and ${conditions(filter)} limit ${filter.limit})`
  return queryRows<JobListRow>(db)`
    select * from (
      ${part(sql`j.status = 'processing'`)}
      union all ${part(sql`j.status = 'queued' and j.uploaded_at is not null`)}
      union all ${part(sql`j.status = 'queued' and j.uploaded_at is null`)}
    ) active
    where ${filter.status}::text in ('active') or ${filter.status}::text is null or status = ${filter.status}
    order by status = 'processing' desc, uploaded desc, "createdAt" desc limit ${filter.limit}`
}

/** Jobs that have ended, the latest first. */
export async function listEndedJobs(
  db: Db,
  filter: JobFilter,
): Promise<{ jobs: JobListRow[]; next: Cursor | null }> {
  const before = filter.before
    ? sql`(j.finished_at, j.id) < (${filter.before.finishedAt}::timestamptz, ${filter.before.id}::uuid)`
    : sql`true`
  // Written as a literal, so that the partial index of failures can be used.
  const isFailure = filter.reason !== null || filter.status === 'failed'
  const status = isFailure
    ? sql`j.status = 'failed'`
    : sql`(${filter.status}::text is null or j.status = ${filter.status})`
  const { rows } = await sql<JobListRow & { cursor: string }>`
    select ${columns}, to_char(j.finished_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as cursor
    from jobs j left join accounts a on a.id = j.account_id
    where j.finished_at is not null and ${before} and ${conditions(filter)}
      and ${status}
    order by j.finished_at desc, j.id desc limit ${filter.limit}`.execute(db)
  const last = rows.length === filter.limit ? rows.at(-1) : undefined
  return {
    jobs: rows.map(({ cursor: _, ...job }) => job),
    next: last ? { finishedAt: last.cursor, id: last.id } : null,
  }
}

export interface JobDetails extends JobListRow {
  uploadExpiresAt: Date
  uploadedAt: Date | null
  expiresAt: Date | null
  retryOf: string | null
  hasOutput: boolean
  traceParent: string | null
  report: ConversionReport | null
  charge: { credits: number; free: number } | null
  refunded: boolean
  failedAttempts: { attempt: number; endedAt: string; reason: string }[]
}

export const readJobDetails = (db: Db, id: string) =>
  queryRow<JobDetails>(db)`
    select ${columns}, j.upload_expires_at as "uploadExpiresAt", j.uploaded_at as "uploadedAt",
           j.expires_at as "expiresAt", j.retry_of as "retryOf",
           j.output_object is not null as "hasOutput", j.trace_parent as "traceParent", j.report,
           (select jsonb_build_object('credits', -l.credits, 'free', -l.free)
            from ledger l where l.job_id = j.id and l.kind = 'charge') as charge,
           exists (select from ledger l where l.job_id = j.id and l.kind = 'refund') as refunded,
           coalesce((select jsonb_agg(jsonb_build_object('attempt', f.attempt, 'endedAt', f.ended_at,
                                                         'reason', f.reason) order by f.attempt)
                     from failed_attempts f where f.job_id = j.id), '[]') as "failedAttempts"
    from jobs j left join accounts a on a.id = j.account_id
    where j.id = ${id}`
