import type { ConversionReport, FailureWord } from '@kiln/contract'
import { sql } from 'kysely'
import type { Db } from './connect.ts'
import type { JobStatus } from './jobs.ts'
import { queryRows } from './query.ts'

// The jobs of one account, as its users see them. They are found through the ledger, which is indexed by account: the
// jobs table has no such index, because it would slow down submits.

export interface AccountJob {
  id: string
  /** The id of its charge, the cursor of the next page. */
  entry: number
  pair: string
  bytes: number
  outputBytes: number | null
  status: JobStatus
  uploaded: boolean
  progress: number | null
  failureWord: FailureWord | null
  failureSentence: string | null
  report: ConversionReport | null
  createdAt: Date
  finishedAt: Date | null
  expiresAt: Date | null
}

const columns = sql`
  j.id, l.id as entry, j.pair, j.bytes, j.output_bytes as "outputBytes", j.status,
  j.uploaded_at is not null as uploaded, j.progress, j.failure_word as "failureWord",
  j.failure_sentence as "failureSentence", j.report, j.created_at as "createdAt",
  j.finished_at as "finishedAt", j.expires_at as "expiresAt"`

/** The latest first; `before` is the entry of the last job seen. */
export const listAccountJobs = (db: Db, accountId: string, before: number | null, limit: number) =>
  queryRows<AccountJob>(db)`
    select ${columns} from ledger l join jobs j on j.id = l.job_id
    where l.account_id = ${accountId} and l.kind = 'charge' and (${before}::bigint is null or l.id < ${before})
    order by l.id desc limit ${limit}`

export interface WaitingJob {
  id: string
  uploaded: boolean
  /** Jobs of the same lane that run before it; at most `maxCounted`. */
  ahead: number
}

export const maxCounted = 200

export async function readWaiting(db: Db, ids: readonly string[]): Promise<WaitingJob[]> {
  if (ids.length === 0) return []
  return queryRows<WaitingJob>(db)`
    select j.id, j.uploaded_at is not null as uploaded, (
      select count(*)::integer from (
        select from jobs w where w.lane = j.lane and w.status = 'queued' and w.uploaded_at is not null
          and w.turn < j.turn limit ${maxCounted}) earlier) as ahead
    from jobs j where j.id = any (${ids}::uuid[]) and j.status = 'queued'`
}
