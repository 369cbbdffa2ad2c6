import type { Database } from '../db/connect.ts'
import { findAwaitedUploads } from '../db/retention.ts'
import { parseObjectName } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'
import type { NoticeUpload } from './notice-upload.ts'

// For clients that upload and do not poll: lists the inputs that have come, a thousand names a call,
// and notices those whose jobs still wait for one. The list is as long as the backlog, however many
// uploads never come.

const batch = 1000

export function createLookForUploads(parts: { database: Database; storage: Storage; notice: NoticeUpload }) {
  const { database, storage, notice } = parts
  const look = async (jobIds: readonly string[]) => {
    for (const awaited of await findAwaitedUploads(database.kysely, jobIds)) await notice(awaited)
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
