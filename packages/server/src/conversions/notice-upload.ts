import type { Database } from '../db/connect.ts'
import { markUploaded } from '../db/jobs.ts'
import { findInputOwners } from '../db/retention.ts'
import type { Queue } from '../queue/queue.ts'
import { inputObject, parseObjectName } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'
import type { EndJob } from './end-job.ts'

// Step 2 where the storage receives uploads itself and does not report them (S3): check whether the object exists. The
// first process to see it enqueues the job; later ones find it marked.

export interface AwaitedUpload {
  jobId: string
  bytes: number
}

/** True when the job has changed, here or in another process at the same time: read it again. */
export type NoticeUpload = (awaited: AwaitedUpload) => Promise<boolean>

export function createNoticeUpload(parts: {
  database: Database
  queue: Queue
  storage: Storage
  endJob: EndJob
}): NoticeUpload {
  const { database, queue, storage, endJob } = parts

  return async ({ jobId, bytes }) => {
    const found = await storage.size(inputObject(jobId))
    if (found === null) return false
    if (found !== bytes) {
      const sentence = `The upload has ${found} bytes, but ${bytes} were declared. Submit again with the right size.`
      await endJob.fail(jobId, { word: 'corrupt-input', sentence })
      return true
    }
    const marked = await database.kysely.transaction().execute(async (trx) => {
      const awaited = await markUploaded(trx, jobId)
      if (awaited) await queue.enqueue(trx, { jobId, ...awaited })
      return awaited
    })
    if (marked) queue.wake(marked.lane)
    return true
  }
}

// For clients that upload but do not poll: lists the received inputs, a thousand names per call, marks those whose jobs
// still wait for an upload, and removes those whose jobs have ended. The cost depends on the number of stored inputs,
// not on the number of uploads that never arrive.

const batch = 1000

export function createPollUploads(parts: { database: Database; storage: Storage; notice: NoticeUpload }) {
  const { database, storage, notice } = parts
  const look = async (jobIds: readonly string[]) => {
    for (const owner of await findInputOwners(database.kysely, jobIds)) {
      // A link still works after its job has ended; an upload that arrives then is removed.
      if (owner.hasEnded) await storage.remove(inputObject(owner.jobId))
      else await notice(owner)
    }
  }
  return async (): Promise<void> => {
    let jobIds: string[] = []
    for await (const { object } of storage.list('in')) {
      const name = parseObjectName(object)
      if (name) jobIds.push(name.jobId)
      if (jobIds.length === batch) {
        await look(jobIds)
        jobIds = []
      }
    }
    if (jobIds.length > 0) await look(jobIds)
  }
}
