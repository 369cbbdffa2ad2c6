import type { Database } from '../db/connect.ts'
import { failUnheldJob } from '../db/jobs.ts'
import type { Queue, Work } from '../queue/queue.ts'
import { inputObject } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { settledChannel } from './wait-for-end.ts'

// A job whose three attempts all died: it fails, and its charge is given back.

export const abandonedSentence =
  'internal: The conversion broke down three times and was given up. It was not charged; please report the file if it happens again.'

export function createAbandon(parts: {
  database: Database
  storage: Storage
  queue: Queue
  metrics: Metrics
}) {
  const { database, storage, queue } = parts
  return async (work: Work): Promise<void> => {
    await storage.remove(inputObject(work.jobId))
    await database.kysely.transaction().execute(async (trx) => {
      await failUnheldJob(trx, work.jobId, abandonedSentence)
      await queue.remove(trx, work)
    })
    parts.metrics.jobAbandoned(work.lane)
    await database.notify(settledChannel, work.jobId)
  }
}
