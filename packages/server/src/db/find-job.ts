import { createHash } from 'node:crypto'
import type { FailureWord, JobStatus } from '@kiln/contract'
import type { Lane } from '@kiln/converter/catalog'
import type { Database, Db } from './connect.ts'
import { queryRow } from './query.ts'

// A job as it is stored, for operators and for consistency checks.

interface JobRecord {
  id: string
  accountId: string
  pair: string
  lane: Lane
  bytes: number
  status: JobStatus
  attempt: number
  handBacks: number
  turn: number | null
  failureWord: FailureWord | null
  failureSentence: string | null
  createdAt: Date
  uploadedAt: Date | null
  startedAt: Date | null
  finishedAt: Date | null
  expiresAt: Date | null
  outputBytes: number | null
  options: Record<string, unknown> | null
}

export const findJob = (db: Db, id: string) =>
  queryRow<JobRecord>(db)`
    select id, account_id as "accountId", pair, lane, bytes, status, attempt, hand_backs as "handBacks", turn,
      failure_word as "failureWord", failure_sentence as "failureSentence", created_at as "createdAt",
      uploaded_at as "uploadedAt", started_at as "startedAt", finished_at as "finishedAt",
      expires_at as "expiresAt", output_bytes as "outputBytes", options
    from jobs where id = ${id}`

/** The claim of a worker that it runs a job. */
export interface LeaseClaim {
  jobId: string
  attempt: number
  /** Hash of the lease token. */
  tokenHash: Buffer
}

export interface LeasedJob {
  /** Secret options, encrypted. */
  secrets: string | null
}

export const hashLeaseToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The job, if this worker runs it and its lease has not expired. */
export async function findLeasedJob(database: Database, claim: LeaseClaim): Promise<LeasedJob | null> {
  const rows = await database.prepared<LeasedJob>(
    'find-leased-job',
    `select secrets from jobs
     where id = $1 and attempt = $2 and lease_hash = $3 and status = 'processing' and exists (
       select 1 from pgboss.job work where work.name = jobs.lane and work.id = jobs.id and work.state = 'active'
         and work.heartbeat_on + make_interval(secs => work.heartbeat_seconds) > now())`,
    [claim.jobId, claim.attempt, claim.tokenHash],
  )
  return rows[0] ?? null
}
