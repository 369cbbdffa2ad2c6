import type { Database } from '../db/connect.ts'
import { findJob } from '../db/find-job.ts'
import { refused } from '../errors.ts'
import type { EndJob } from './end-job.ts'

// The operator ends a job that waits or runs. It fails like any other: the charge is given back, the input
// is deleted, the client reads `failed`. The notification makes the worker that may be running it stop its engine
// at once; if the notification is lost, its lease is gone, which it notices within three seconds.

const failure = {
  word: 'cancelled',
  sentence: 'The operator of this service cancelled the conversion. It was not charged.',
} as const

export type Cancel = (jobId: string) => Promise<void>

export function createCancel({ database, endJob }: { database: Database; endJob: EndJob }): Cancel {
  return async (jobId) => {
    if (await endJob.fail(jobId, failure)) return
    if (!(await findJob(database.kysely, jobId))) throw refused('not-found', 'There is no job with this id.')
    throw refused('bad-request', 'This job has ended already; there is nothing to cancel.')
  }
}
