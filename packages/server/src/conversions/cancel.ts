import type { Database } from '../db/connect.ts'
import { findJob } from '../db/find-job.ts'
import { refused } from '../errors.ts'
import type { EndJob } from './end-job.ts'

// The operator cancels a job that waits or runs. It fails like any other job: the charge is refunded, the input is
// deleted, the client reads `failed`. The notification makes the worker that runs it stop its engine at once; if the
// notification is lost, the worker notices within three seconds that its lease has ended.

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
