import type { Log } from '../log/log.ts'
import type { Queue } from '../queue/queue.ts'
import type { FailedAttempts } from './failed-attempts.ts'

interface ReclaimParts {
  queue: Queue
  failedAttempts: FailedAttempts
  log: Log
}

/** Requeues the jobs of lost workers, and ends those that were started too often. One call at a time. */
export function createReclaim({ queue, failedAttempts, log }: ReclaimParts): () => Promise<void> {
  let isRunning = false
  return async () => {
    if (isRunning) return
    isRunning = true
    try {
      await queue.reclaim()
      for (let work = await queue.takeAbandoned(); work; work = await queue.takeAbandoned())
        await failedAttempts.giveUpLost(work)
    } catch (error) {
      log.warn({ err: error }, 'could not requeue or end the jobs of lost workers')
    } finally {
      isRunning = false
    }
  }
}
