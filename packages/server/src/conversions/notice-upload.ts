import type { Lane } from '@kiln/converter/catalog'
import type { Database } from '../db/connect.ts'
import { failUnheldJob, markUploaded } from '../db/jobs.ts'
import type { Queue } from '../queue/queue.ts'
import { inputObject } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'
import { settledChannel } from './wait-for-end.ts'

// Step 2 where the storage takes uploads itself and tells nobody (S3): look whether the object has
// come. The first to see it puts the job into the queue; who comes later finds it marked.

export interface AwaitedUpload {
  jobId: string
  bytes: number
}

/** True when something changed: the upload counts now, or has failed its job. */
export type NoticeUpload = (awaited: AwaitedUpload) => Promise<boolean>

export function createNoticeUpload(parts: {
  database: Database
  queue: Queue
  storage: Storage
}): NoticeUpload {
  const { database, queue, storage } = parts

  const refuse = async (jobId: string, found: number, declared: number) => {
    await storage.remove(inputObject(jobId))
    const error = `corrupt-input: The upload has ${found} bytes, but ${declared} were declared. Submit again with the right size.`
    await database.kysely.transaction().execute((trx) => failUnheldJob(trx, jobId, error))
    await database.notify(settledChannel, jobId)
  }

  return async ({ jobId, bytes }) => {
    const found = await storage.size(inputObject(jobId))
    if (found === null) return false
    if (found !== bytes) {
      await refuse(jobId, found, bytes)
      return true
    }
    const lane = await database.kysely.transaction().execute(async (trx): Promise<Lane | null> => {
      const marked = await markUploaded(trx, jobId)
      if (!marked) return null
      await queue.enqueue(trx, { jobId, lane: marked.lane as Lane, turn: marked.turn })
      return marked.lane as Lane
    })
    if (lane) queue.wake(lane).catch(() => {})
    return true
  }
}
