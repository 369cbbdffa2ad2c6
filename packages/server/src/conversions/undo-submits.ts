import type { SubmitOrder, Submitted } from '../db/submit.ts'
import type { Log } from '../log/log.ts'
import { sleep } from '../sleep.ts'
import type { EndJob } from './end-job.ts'

// A submit that was answered with an error may still have been committed: the connection broke after the commit, or the
// database took longer than a caller waits. The caller does not know the job and must not be charged for it, so the job
// is looked up and cancelled, which refunds it. Every order has an idempotency key (submit.ts); repeating it with a
// refusal finds the job, or creates none. The database serializes the submits of an account, so a transaction that is
// still running is waited for; a second lookup follows after the maximum duration of a statement. If the process is
// killed first, the sweeper refunds the job when the upload link has expired.

const retryMilliseconds = 1000
const secondLookMilliseconds = 35_000
const maxPending = 10_000

const failure = {
  word: 'cancelled',
  sentence: 'The submit could not be answered, so it was cancelled. It was not charged; submit again.',
} as const

export interface UndoSubmits {
  add(order: SubmitOrder): void
  stop(): Promise<void>
}

export interface UndoSubmitsParts {
  submit: (order: SubmitOrder) => Promise<Submitted>
  endJob: Pick<EndJob, 'fail'>
  log: Log
}

export function createUndoSubmits({ submit, endJob, log }: UndoSubmitsParts): UndoSubmits {
  const stopped = new AbortController()
  const pending = new Set<Promise<void>>()

  const undo = async (order: SubmitOrder) => {
    const found = await submit({ ...order, refusal: 'rate-limited' })
    if (!('jobId' in found)) return
    await endJob.fail(found.jobId, failure)
    log.warn({ jobId: found.jobId }, 'a submit that was answered with an error was cancelled and refunded')
  }

  const undoWhenPossible = async (order: SubmitOrder) => {
    while (!stopped.signal.aborted) {
      try {
        return await undo(order)
      } catch (error) {
        log.debug({ err: error }, 'could not look for a submit that was answered with an error')
        await sleep(retryMilliseconds, stopped.signal)
      }
    }
  }

  return {
    add(order) {
      if (stopped.signal.aborted || pending.size >= maxPending) return
      const undone = (async () => {
        await undoWhenPossible(order)
        await sleep(secondLookMilliseconds, stopped.signal)
        await undoWhenPossible(order)
      })().finally(() => pending.delete(undone))
      pending.add(undone)
    },
    async stop() {
      stopped.abort()
      await Promise.all(pending)
    },
  }
}
