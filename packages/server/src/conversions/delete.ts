import type { Database } from '../db/connect.ts'
import { readJobsForKeys } from '../db/jobs-of-key.ts'
import type { EndJob } from './end-job.ts'
import { askedJob, ownId } from './own-job.ts'

// The owner is done with a job. One that waits or runs is cancelled as the operator cancels one (cancel.ts); of one
// that is done only the output goes: what was converted stays charged, and the record says that it has expired.
// Safe to repeat: every step does only what is still missing, so the next call completes one that was interrupted.

const failure = {
  word: 'cancelled',
  sentence: 'The owner of the job cancelled the conversion. It was not charged.',
} as const

/** False when the key is unknown or has ended. */
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
