import { createHash } from 'node:crypto'
import type { Database } from './connect.ts'

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
