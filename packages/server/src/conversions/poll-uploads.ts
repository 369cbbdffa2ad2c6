import type { Database } from '../db/connect.ts'
import { findInputOwners } from '../db/retention.ts'
import { inputObject, parseObjectName } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'
import type { NoticeUpload } from './notice-upload.ts'

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
