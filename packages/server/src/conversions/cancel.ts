import type { Lane } from '@kiln/converter/catalog'
import type { Database } from '../db/connect.ts'
import { cancelUnendedJob, findJob } from '../db/jobs.ts'
import { refused } from '../errors.ts'
import type { Queue } from '../queue/queue.ts'
import { inputObject } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'
import { settledChannel } from './wait-for-end.ts'

// The operator ends a job that waits or runs. It fails like any other: the charge is given back, the input
// is deleted, the client reads `failed`. The new attempt number fences the worker that may be running it,
// the notification makes that worker stop its engine at once, and if the notification is lost, its lease is
// gone, which it notices within three seconds.

const sentence = 'internal: The operator of this service cancelled the conversion. It was not charged.'

export type Cancel = (jobId: string) => Promise<void>

export function createCancel(parts: { database: Database; storage: Storage; queue: Queue }): Cancel {
  const { database, storage, queue } = parts
  return async (jobId) => {
    const job = await findJob(database.kysely, jobId)
    if (!job) throw refused('not-found', 'There is no job with this id.')
    // As at any end: nobody sees the end of a job whose input still exists.
    if (job.finished_at === null) await storage.remove(inputObject(jobId))
    const ended = await database.kysely.transaction().execute(async (trx) => {
      if (!(await cancelUnendedJob(trx, jobId, sentence))) return false
      await queue.drop(trx, { jobId, lane: job.lane as Lane })
      return true
    })
    if (!ended) throw refused('bad-request', 'This job has ended already; there is nothing to cancel.')
    await database.notify(settledChannel, jobId)
  }
}
