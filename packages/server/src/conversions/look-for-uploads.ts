import type { Database } from '../db/connect.ts'
import { findInputOwners } from '../db/retention.ts'
import { inputObject, parseObjectName } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'
import type { NoticeUpload } from './notice-upload.ts'

// For clients that upload and do not poll: lists the inputs that have come, a thousand names a call,
// notices those whose jobs still wait for one, and removes those whose jobs have ended. The list is as long as the
// backlog, however many uploads never come.

const batch = 1000

export function createLookForUploads(parts: { database: Database; storage: Storage; notice: NoticeUpload }) {
  const { database, storage, notice } = parts
  const look = async (jobIds: readonly string[]) => {
    for (const owner of await findInputOwners(database.kysely, jobIds)) {
      // A link still works when its job has ended. What comes then is of no use to anybody.
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
