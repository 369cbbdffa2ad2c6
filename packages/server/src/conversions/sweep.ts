import type { Database } from '../db/connect.ts'
import {
  deleteOldRecords,
  findExpiredOutputs,
  findJobsWithInput,
  findJobsWithOutput,
  findOverdueUploads,
  findOwners,
  forgetOutputs,
  type JobWithObject,
} from '../db/retention.ts'
import type { Log } from '../log/log.ts'
import { inputObject, type ObjectName, parseObjectName } from '../storage/object-names.ts'
import type { Storage, StoredObject } from '../storage/storage.ts'
import type { EndJob } from './end-job.ts'
import { mapConcurrently } from './map-concurrently.ts'

// Removes what has expired and what crashes have left. Any number of processes may sweep concurrently: every step is
// idempotent.
// - Uploads that never came: the job fails, and the charge is refunded.
// - Outputs past their retention time: deleted.
// - Records past their retention time: deleted.
// - Storage against table: an object that no job refers to is deleted.
// - Table against storage: a job whose object is missing is marked so, instead of offering a dead link.

const batch = 500
const lookedAfter = 2000
// A copied input is stored before the row of its job is written, so young objects without a row are kept.
const usuallyYoungMilliseconds = 10 * 60_000

export interface SweepParts {
  database: Database
  storage: Storage
  endJob: EndJob
  recordTtlSeconds: number
  /** Objects younger than this are kept. */
  youngMilliseconds?: number
  log: Log
}

export function createSweeper({ database, storage, endJob, recordTtlSeconds, log, ...parts }: SweepParts) {
  const youngMilliseconds = parts.youngMilliseconds ?? usuallyYoungMilliseconds
  const db = database.kysely

  const failMissedUpload = async (jobId: string): Promise<boolean> => {
    // Storage that does not report uploads may have received one since the last check.
    if (!storage.tellsOfUploads && (await storage.size(inputObject(jobId))) !== null) return false
    const failure = {
      word: 'timeout',
      sentence: 'upload not received. The upload link has run out; submit again.',
    } as const
    return endJob.failOverdue(jobId, failure, !storage.tellsOfUploads)
  }
  const failMissedUploads = async (): Promise<number> => {
    const missed = await findOverdueUploads(db, !storage.tellsOfUploads, batch)
    return (await mapConcurrently(missed, failMissedUpload)).filter(Boolean).length
  }
  const deleteExpiredOutputs = async (): Promise<number> => {
    const expired = await findExpiredOutputs(db, batch)
    await mapConcurrently(expired, ({ object }) => storage.remove(object))
    await forgetOutputs(
      db,
      expired.map(({ id }) => id),
    )
    return expired.length
  }

  const removeStrayObjects = async (): Promise<number> => {
    let removed = 0
    const youngSince = Date.now() - youngMilliseconds
    for await (const chunk of objectsByName(storage)) {
      const owners = await findOwners(
        db,
        chunk.map(({ name }) => name.jobId),
      )
      const unwanted: string[] = []
      for (const { object, name, modifiedAt } of chunk) {
        const owner = owners.get(name.jobId)
        const wanted =
          owner === undefined
            ? modifiedAt.getTime() > youngSince
            : name.kind === 'input'
              ? owner.status === 'queued' || owner.status === 'processing'
              : owner.outputObject === object ||
                (owner.status === 'processing' && owner.attempt === name.attempt)
        if (!wanted) unwanted.push(object)
      }
      await mapConcurrently(unwanted, storage.remove)
      removed += unwanted.length
    }
    return removed
  }

  const isLost = async ({ id, outputObject }: JobWithObject): Promise<boolean> => {
    const object = outputObject ?? inputObject(id)
    if ((await storage.size(object, { isPatient: true })) !== null) return false
    // Read the row again: it may have changed since the list was read.
    const owner = (await findOwners(db, [id])).get(id)
    if (outputObject && owner?.outputObject === outputObject) {
      log.error({ jobId: id }, 'the output of a finished job is gone from storage')
      return endJob.loseOutput(id, outputObject, {
        word: 'internal',
        sentence:
          'The output was lost after the conversion. What it cost was given back; submit the file again.',
      })
    }
    if (outputObject || owner?.status !== 'queued') return false
    log.error({ jobId: id }, 'the upload of a waiting job is gone from storage')
    return endJob.fail(id, {
      word: 'internal',
      sentence: 'The uploaded file was lost before the conversion. It was not charged; submit again.',
    })
  }
  // A part of them in each round: checking every object of a busy hour would take longer than the hour.
  let seenUntil = new Date(0)
  const noticeLostObjects = async (): Promise<number> => {
    const outputs = await findJobsWithOutput(db, seenUntil, lookedAfter)
    seenUntil = outputs.length === lookedAfter ? (outputs.at(-1)?.expiresAt ?? seenUntil) : new Date(0)
    const jobs = [...outputs, ...(await findJobsWithInput(db, lookedAfter))]
    return (await mapConcurrently(jobs, isLost)).filter(Boolean).length
  }

  return {
    async sweepExpired(): Promise<void> {
      await untilNoneIsLeft(failMissedUploads)
      await untilNoneIsLeft(deleteExpiredOutputs)
      await untilNoneIsLeft(() => deleteOldRecords(db, recordTtlSeconds, batch))
    },
    async sweepStrays() {
      const strayObjects = await removeStrayObjects()
      const lostObjects = await noticeLostObjects()
      if (strayObjects > 0) log.info({ strayObjects }, 'removed objects that no job counts on')
      return { strayObjects, lostObjects }
    },
  }
}

export type Sweeper = ReturnType<typeof createSweeper>

/** Repeats the step until nothing is left, so that deletions keep up with creations. */
async function untilNoneIsLeft(step: () => Promise<number>): Promise<void> {
  while ((await step()) === batch);
}

interface NamedObject extends StoredObject {
  name: ObjectName
}

async function* objectsByName(storage: Storage): AsyncIterable<NamedObject[]> {
  let chunk: NamedObject[] = []
  for await (const stored of storage.list()) {
    const name = parseObjectName(stored.object)
    if (!name) continue
    chunk.push({ ...stored, name })
    if (chunk.length === batch) {
      yield chunk
      chunk = []
    }
  }
  if (chunk.length > 0) yield chunk
}
