import type { Log } from '../log/log.ts'
import type { Queue } from '../queue/queue.ts'
import { sleep } from '../sleep.ts'
import type { AccountLoadWatch } from './account-load.ts'
import type { FailedAttempts } from './failed-attempts.ts'

export interface ReclaimParts {
  queue: Queue
  failedAttempts: Pick<FailedAttempts, 'giveUpLost'>
  load: Pick<AccountLoadWatch, 'isIdle'>
  log: Log
}

const everyMilliseconds = 2000

/** Every two seconds, requeues the jobs of lost workers, and ends those that were started too often. */
export function startReclaiming({ queue, failedAttempts, load, log }: ReclaimParts): {
  stop(): Promise<void>
} {
  const stopped = new AbortController()
  const reclaim = async () => {
    try {
      await queue.reclaim()
      for (let work = await queue.takeAbandoned(); work; work = await queue.takeAbandoned())
        await failedAttempts.giveUpLost(work)
    } catch (error) {
      log.warn({ err: error }, 'could not requeue or end the jobs of lost workers')
    }
  }
  const rounds = async () => {
    while (!stopped.signal.aborted) {
      if (!load.isIdle()) await reclaim()
      await sleep(everyMilliseconds, stopped.signal)
    }
  }
  const running = rounds()
  return {
    async stop() {
      stopped.abort()
      await running
    },
  }
}
