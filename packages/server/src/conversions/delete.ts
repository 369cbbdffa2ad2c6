import type { Database } from '../db/connect.ts'
import { findJob } from '../db/find-job.ts'
import { readJobsForKeys } from '../db/jobs-of-key.ts'
import { refused } from '../errors.ts'
import type { EndJob } from './end-job.ts'
import { askedJob, ownId } from './read.ts'

// The owner deletes a job. A waiting or running job is cancelled, as by the operator. For a done job only
// the output is deleted: the job stays charged, and its record reports it as expired. Idempotent: every step does only
// what is still missing, so the next call completes one that was interrupted.

const cancelledBy = (who: string) =>
  ({ word: 'cancelled', sentence: `${who} cancelled the conversion. It was not charged.` }) as const

/** False when the key is unknown or revoked. */
export type Delete = (keyHash: Buffer, jobId: string) => Promise<boolean>

export function createDelete({ database, endJob }: { database: Database; endJob: EndJob }): Delete {
  return async (keyHash, jobId) => {
    const [row] = await readJobsForKeys(database, [askedJob(keyHash, jobId)])
    if (!row) return false
    const id = ownId(row)
    await endJob.fail(id, cancelledBy('The owner of the job'))
    await endJob.removeFiles(id)
    return true
  }
}

// The operator cancels a job that waits or runs. It fails like any other job: the charge is refunded, the input is
// deleted, the client reads `failed`. The notification makes the worker that runs it stop its engine at once; if the
// notification is lost, the worker notices within three seconds that its lease has ended.

export function createCancel({ database, endJob }: { database: Database; endJob: EndJob }) {
  return async (jobId: string): Promise<void> => {
    if (await endJob.fail(jobId, cancelledBy('The operator of this service'))) return
    if (!(await findJob(database.kysely, jobId))) throw refused('not-found', 'There is no job with this id.')
    throw refused('bad-request', 'This job has ended already; there is nothing to cancel.')
  }
}
