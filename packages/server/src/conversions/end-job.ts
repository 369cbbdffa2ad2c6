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
import { retryOnDeadlock } from '../db/retry-on-deadlock.ts'
import { webhookChannel } from '../db/webhook-deliveries.ts'
import type { Queue, Work } from '../queue/queue.ts'
import { inputObject, outputObject } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'
import { LeaseLost } from './lease-lost.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { settledChannel } from './wait-for-end.ts'

// All transitions to an end state (state-machine.md): the input is deleted, the row gets its final status, the charge
// is refunded if the job failed, the webhook event is written, the job leaves the queue, and waiting clients are
// notified. The input is deleted first, so that no ended job still has its input.

export interface EndJob {
  /**
   * Fails a job from outside. False when it has ended already. `work` is the queue entry that was given up; any other
   * entry of the job is removed from its lane, and a worker that holds it loses its lease.
   */
  fail(jobId: string, failure: Failure, work?: Work): Promise<boolean>
  /** Fails a job whose upload is overdue. False when the upload has arrived meanwhile. */
  failOverdue(jobId: string, failure: Failure, mayBeUnderWay: boolean): Promise<boolean>
  /**
   * The output of a done job was lost: the job stays done, its record says so, and the charge is refunded. False when
   * the job has changed meanwhile.
   */
  loseOutput(jobId: string, outputObject: string, failure: Failure): Promise<boolean>
  /**
   * Removes the stored files of an ended job immediately: an upload, and outputs of any attempt. The output of a done
   * job expires with it.
   */
  removeFiles(jobId: string): Promise<void>
  /** The worker that holds the job turns its recorded outcome into the final status. Null when its lease was lost. */
  settle(work: Work, job: StartedJob): Promise<SettledJob | null>
}

export interface EndJobParts {
  database: Database
  storage: Pick<Storage, 'remove'>
  queue: Queue
  outputTtlSeconds: number
}

export function createEndJob({ database, storage, queue, outputTtlSeconds }: EndJobParts): EndJob {
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
    async fail(jobId, failure, work) {
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

    async failOverdue(jobId, failure, mayBeUnderWay) {
      const overdue = uploadIsOverdue(mayBeUnderWay)
      const ended = await db.transaction().execute((trx) => failJob(trx, jobId, failure, overdue))
      if (!ended) return false
      await storage.remove(inputObject(jobId))
      await notifyEnd(jobId, ended)
      return true
    },

    async loseOutput(jobId, outputObject, failure) {
      return db.transaction().execute((trx) => loseOutput(trx, jobId, outputObject, failure))
    },

    async removeFiles(jobId) {
      const attempts = await expireOutput(db, jobId)
      const objects = Array.from({ length: attempts }, (_, index) => outputObject(jobId, index + 1))
      await mapConcurrently([inputObject(jobId), ...objects], storage.remove)
      await forgetOutputs(db, [jobId])
    },

    async settle(work, job) {
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
