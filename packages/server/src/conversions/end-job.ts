import type { Database, Trx } from '../db/connect.ts'
import {
  expireOutput,
  type Failure,
  failJob,
  loseOutput,
  type SettledJob,
  type StartedJob,
  settleJob,
  uploadIsOverdue,
} from '../db/jobs.ts'
import { forgetOutputs } from '../db/retention.ts'
import { retryOnDeadlock } from '../db/retries.ts'
import { webhookChannel } from '../db/webhooks.ts'
import type { Queue, Work } from '../queue/queue.ts'
import { inputObject, outputObject } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { settledChannel } from './wait-for-end.ts'

// All transitions to an end state (state-machine.md): the input is deleted, the row gets its final status, the charge
// is refunded if the job failed, the webhook event is written, the job leaves the queue, and waiting clients are
// notified. The input is deleted first, so that no ended job still has its input.

export interface EndJobParts {
  database: Database
  storage: Pick<Storage, 'remove'>
  queue: Queue
  outputTtlSeconds: number
}

export function createEndJob({ database, storage, queue, outputTtlSeconds }: EndJobParts) {
  const db = database.kysely
  const transact = <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
    retryOnDeadlock(() => db.transaction().execute(work))
  const notifyEnd = async (jobId: string, { webhookAccount }: Pick<SettledJob, 'webhookAccount'>) => {
    if (webhookAccount)
      database.notify(webhookChannel, webhookAccount).catch(() => {
        // A lost notification does no harm: due deliveries are also polled.
      })
    await database.notify(settledChannel, jobId)
  }

  return {
    /**
     * Fails a job from outside. False when it has ended already. `work` is the queue entry that was given up; any other
     * entry of the job is removed from its lane, and a worker that holds it loses its lease.
     */
    async fail(jobId: string, failure: Failure, work?: Work): Promise<boolean> {
      await storage.remove(inputObject(jobId))
      const ended = await transact(async (trx) => {
        const failed = await failJob(trx, jobId, failure)
        if (failed) await queue.drop(trx, { jobId, lane: failed.lane })
        if (work) await queue.remove(trx, work)
        return failed
      })
      if (ended) await notifyEnd(jobId, ended)
      return ended !== null
    },

    /** Fails a job whose upload is overdue. False when the upload has arrived meanwhile. */
    async failOverdue(jobId: string, failure: Failure, mayBeUnderWay: boolean): Promise<boolean> {
      const overdue = uploadIsOverdue(mayBeUnderWay)
      const ended = await db.transaction().execute((trx) => failJob(trx, jobId, failure, overdue))
      if (!ended) return false
      await storage.remove(inputObject(jobId))
      await notifyEnd(jobId, ended)
      return true
    },

    /**
     * The output of a done job was lost: the job stays done, its record says so, and the charge is refunded. False when
     * the job has changed meanwhile.
     */
    loseOutput: (jobId: string, object: string, failure: Failure) =>
      db.transaction().execute((trx) => loseOutput(trx, jobId, object, failure)),

    /**
     * Removes the stored files of an ended job immediately: an upload, and outputs of any attempt. The output of a done
     * job expires with it.
     */
    async removeFiles(jobId: string): Promise<void> {
      const attempts = await expireOutput(db, jobId)
      const objects = Array.from({ length: attempts }, (_, index) => outputObject(jobId, index + 1))
      await mapConcurrently([inputObject(jobId), ...objects], storage.remove)
      await forgetOutputs(db, [jobId])
    },

    /** The worker that holds the job turns its recorded outcome into the final status. Null when its lease was lost. */
    async settle(work: Work, job: StartedJob): Promise<SettledJob | null> {
      await storage.remove(inputObject(job.id))
      const settle = transact(async (trx) => {
        const row = await settleJob(trx, job.id, job.attempt, outputTtlSeconds)
        if (!row || !(await queue.remove(trx, work))) throw new LeaseLost()
        return row
      })
      const settled = await settle.catch((error) => {
        if (error instanceof LeaseLost) return null
        throw error
      })
      if (settled) await notifyEnd(job.id, settled)
      return settled
    },
  }
}

export type EndJob = ReturnType<typeof createEndJob>

/** Another worker has the job, or it has ended. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}
