import type { Database } from '../db/connect.ts'
import { failMissedUpload, failUnheldJob } from '../db/jobs.ts'
import {
  deleteOldRecords,
  findExpiredOutputs,
  findJobsWithObjects,
  findMissedUploads,
  findOwners,
  forgetOutput,
} from '../db/retention.ts'
import type { Log } from '../log.ts'
import { inputObject, type ObjectName, parseObjectName } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'
import { settledChannel } from './wait-for-end.ts'

// What time ends, and what crashes leave. Any number of processes may sweep at once: every step is
// idempotent.
// - Uploads that never came: the job fails, the charge is given back.
// - Outputs past their hour: deleted.
// - Records past their days: deleted.
// - Storage against table: an object that no job counts on is deleted.
// - Table against storage: a job whose object is gone is told so, instead of promising a dead link.

const batch = 500
// Between writing an object and writing the row that counts on it lies a moment; spare what is young.
const usuallyYoungMilliseconds = 10 * 60_000

export interface SweepParts {
  database: Database
  storage: Storage
  recordTtlSeconds: number
  /** Objects younger than this are spared. */
  youngMilliseconds?: number
  log: Log
}

export interface Sweeper {
  sweepExpired(): Promise<void>
  sweepStrays(): Promise<{ strayObjects: number; lostObjects: number }>
}

export function createSweeper({ database, storage, recordTtlSeconds, log, ...parts }: SweepParts): Sweeper {
  const youngMilliseconds = parts.youngMilliseconds ?? usuallyYoungMilliseconds
  const db = database.kysely

  const failMissedUploads = async () => {
    for (const jobId of await findMissedUploads(db, batch)) {
      const error = 'timeout: upload not received. The upload link has run out; submit again.'
      const ended = await db.transaction().execute((trx) => failMissedUpload(trx, jobId, error))
      if (!ended) continue
      await storage.remove(inputObject(jobId))
      await database.notify(settledChannel, jobId)
    }
  }
  const fail = async (jobId: string, error: string) => {
    await storage.remove(inputObject(jobId))
    const ended = await db.transaction().execute((trx) => failUnheldJob(trx, jobId, error))
    if (ended) await database.notify(settledChannel, jobId)
  }
  const deleteExpiredOutputs = async () => {
    for (const { id, object } of await findExpiredOutputs(db, batch)) {
      await storage.remove(object)
      await forgetOutput(db, id)
    }
  }

  const removeStrayObjects = async (): Promise<number> => {
    let removed = 0
    for await (const chunk of oldObjects(storage, youngMilliseconds)) {
      const owners = await findOwners(
        db,
        chunk.map(({ name }) => name.jobId),
      )
      for (const { object, name } of chunk) {
        const owner = owners.get(name.jobId)
        const wanted =
          owner !== undefined &&
          (name.kind === 'input'
            ? owner.status === 'queued' || owner.status === 'processing'
            : owner.outputObject === object ||
              (owner.status === 'processing' && owner.attempt === name.attempt))
        if (wanted) continue
        await storage.remove(object)
        removed++
      }
    }
    return removed
  }

  const noticeLostObjects = async (): Promise<number> => {
    let lost = 0
    for (const { id, outputObject } of await findJobsWithObjects(db)) {
      if ((await storage.size(outputObject ?? inputObject(id))) !== null) continue
      // Look at the row again: it may have moved on since the list was read.
      const owner = (await findOwners(db, [id])).get(id)
      if (outputObject && owner?.outputObject === outputObject) {
        log.error({ jobId: id }, 'the output of a finished job is gone from storage')
        await forgetOutput(db, id)
        lost++
      } else if (!outputObject && owner?.status === 'queued') {
        log.error({ jobId: id }, 'the upload of a waiting job is gone from storage')
        await fail(
          id,
          'internal: The uploaded file was lost before the conversion. It was not charged; submit again.',
        )
        lost++
      }
    }
    return lost
  }

  return {
    async sweepExpired() {
      await failMissedUploads()
      await deleteExpiredOutputs()
      await deleteOldRecords(db, recordTtlSeconds, batch)
    },
    async sweepStrays() {
      const strayObjects = await removeStrayObjects()
      const lostObjects = await noticeLostObjects()
      if (strayObjects > 0) log.info({ strayObjects }, 'removed objects that no job counts on')
      return { strayObjects, lostObjects }
    },
  }
}

async function* oldObjects(
  storage: Storage,
  youngMilliseconds: number,
): AsyncIterable<{ object: string; name: ObjectName }[]> {
  const before = Date.now() - youngMilliseconds
  let chunk: { object: string; name: ObjectName }[] = []
  for await (const { object, modifiedAt } of storage.list()) {
    const name = parseObjectName(object)
    if (!name || modifiedAt.getTime() > before) continue
    chunk.push({ object, name })
    if (chunk.length === batch) {
      yield chunk
      chunk = []
    }
  }
  if (chunk.length > 0) yield chunk
}
