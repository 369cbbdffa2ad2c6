import type { Database } from '../db/connect.ts'
import { readJobsForKeys } from '../db/jobs-of-key.ts'
import type { EndJob } from './end-job.ts'
import { askedJob, ownId } from './own-job.ts'

// The owner deletes a job. A waiting or running job is cancelled, as by the operator (cancel.ts). For a done job only
// the output is deleted: the job stays charged, and its record reports it as expired. Idempotent: every step does only
// what is still missing, so the next call completes one that was interrupted.

const failure = {
  word: 'cancelled',
  sentence: 'The owner of the job cancelled the conversion. It was not charged.',
} as const

/** False when the key is unknown or revoked. */
export type Delete = (keyHash: Buffer, jobId: string) => Promise<boolean>

export function createDelete({ database, endJob }: { database: Database; endJob: EndJob }): Delete {
  return async (keyHash, jobId) => {
    const [row] = await readJobsForKeys(database, [askedJob(keyHash, jobId)])
    if (!row) return false
    const id = ownId(row)
    await endJob.fail(id, failure)
    await endJob.removeFiles(id)
    return true
  }
}
