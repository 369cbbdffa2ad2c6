import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db/connect.ts'
import { findJob } from '../db/find-job.ts'
import { insertRetry, markUploaded } from '../db/jobs.ts'
import { refused } from '../errors.ts'
import type { Queue } from '../queue/queue.ts'
import { inputObject } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'
import { lacksSecrets } from './job-storage.ts'

// The operator converts the input of a failed job again. `failed` is final: clients have read it and stopped polling,
// and the charge was refunded. So the retry is a new job of the same account, for the same pair, and is free of charge.
// It needs the input, and inputs are deleted when their job ends. Only an upload that arrived too late can still exist:
// the job failed because it was missing. Such an upload is removed within seconds, so a retry has to be quick.

export interface RetryParts {
  database: Database
  storage: Storage
  queue: Queue
  /** Holds the input while it is copied. */
  scratchFolder: string
}

export function createRetry({ database, storage, queue, scratchFolder }: RetryParts) {
  /** Is the input of this job still in storage? */
  const hasInput = async (jobId: string, bytes: number): Promise<boolean> =>
    (await storage.size(inputObject(jobId))) === bytes

  const copyInput = async (from: string, to: string) => {
    const folder = await mkdtemp(join(scratchFolder, 'kiln-retry-'))
    try {
      const path = join(folder, 'input')
      await storage.fetch(inputObject(from), path)
      await storage.store(path, inputObject(to))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  return {
    hasInput,
    /** The id of the new job. */
    async retry(jobId: string): Promise<string> {
      const job = await findJob(database.kysely, jobId)
      if (!job) throw refused('not-found', 'There is no job with this id.')
      if (job.status !== 'failed') throw refused('bad-request', 'Only a job that has failed can be retried.')
      // Secrets are erased when the job ends.
      if (lacksSecrets({ options: job.options, secrets: null })) {
        throw refused('bad-request', 'The password of this job was deleted. Submit the file again.')
      }
      if (!(await hasInput(jobId, job.bytes))) {
        throw refused('bad-request', 'The input was deleted when the job ended. Submit the file again.')
      }
      const newJobId = randomUUID()
      await copyInput(jobId, newJobId)
      const lane = await database.kysely.transaction().execute(async (trx) => {
        if (!(await insertRetry(trx, jobId, newJobId)))
          throw refused('not-found', 'The job no longer exists.')
        const marked = await markUploaded(trx, newJobId)
        if (!marked) throw refused('not-found', 'The job no longer exists.')
        await queue.enqueue(trx, { jobId: newJobId, ...marked })
        return marked.lane
      })
      await storage.remove(inputObject(jobId))
      queue.wake(lane)
      return newJobId
    },
  }
}
