import type { Database } from '../db/connect.ts'
import { claimTurn } from '../db/turns.ts'
import type { Log } from '../log/log.ts'
import { sleep } from '../sleep.ts'

// Periodic tasks: sweeping, looking for uploads. Any number of processes may run the same task; in each interval one of
// them claims it in the database, and the others skip it.

export interface Repeated {
  name: string
  everySeconds: number
  work: () => Promise<unknown>
}

/** The first round starts immediately. `stop` resolves when a running round has ended. */
export function repeat(
  database: Database,
  { name, everySeconds, work }: Repeated,
  log: Log,
): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const rounds = async () => {
    while (!stopped.signal.aborted) {
      try {
        if (await claimTurn(database, name, everySeconds)) await work()
      } catch (error) {
        log.warn({ name, err: error }, 'a periodic task failed and is tried again at its next interval')
      }
      await sleep(everySeconds * 1000, stopped.signal)
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
