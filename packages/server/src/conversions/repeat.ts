import type { Database } from '../db/connect.ts'
import { claimTurn } from '../db/turns.ts'
import type { Log } from '../log/log.ts'
import { type Rounds, startRounds } from '../rounds.ts'

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
