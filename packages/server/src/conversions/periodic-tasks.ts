import type { Database } from '../db/connect.ts'
import { claimTurn } from '../db/turns.ts'
import type { Log } from '../log/log.ts'
import type { Queue } from '../queue/queue.ts'
import { type Rounds, startRounds } from '../rounds.ts'
import type { AccountLoadWatch } from './account-load.ts'
import type { FailedAttempts } from './failed-attempts.ts'

// Periodic tasks: sweeping, looking for uploads. Any number of processes may run the same task; in each interval one of
// them claims it in the database, and the others skip it.

export interface Repeated {
  name: string
  everySeconds: number
  work: () => Promise<unknown>
}

export const repeat = (database: Database, { name, everySeconds, work }: Repeated, log: Log): Rounds =>
  startRounds(everySeconds * 1000, async () => {
    try {
      if (await claimTurn(database, name, everySeconds)) await work()
    } catch (error) {
      log.warn({ name, err: error }, 'a periodic task failed and is tried again at its next interval')
    }
  })

export interface ReclaimParts {
  queue: Queue
  failedAttempts: Pick<FailedAttempts, 'giveUpLost'>
  load: Pick<AccountLoadWatch, 'isIdle'>
  log: Log
}

const everyMilliseconds = 2000

/** Every two seconds, requeues the jobs of lost workers, and ends those that were started too often. */
export const startReclaiming = ({ queue, failedAttempts, load, log }: ReclaimParts): Rounds =>
  startRounds(everyMilliseconds, async () => {
    if (load.isIdle()) return
    try {
      await queue.reclaim()
      for (let work = await queue.takeAbandoned(); work; work = await queue.takeAbandoned())
        await failedAttempts.giveUpLost(work)
    } catch (error) {
      log.warn({ err: error }, 'could not requeue or end the jobs of lost workers')
    }
  })
