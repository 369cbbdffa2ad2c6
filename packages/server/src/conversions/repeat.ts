import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/connect.ts'
import { claimTurn } from '../db/turns.ts'
import type { Log } from '../log/log.ts'

// Work that comes round: sweeping, looking for uploads. Any number of processes may repeat the same
// work; for each round one of them wins the turn in the database, and the others do nothing.

export interface Repeated {
  name: string
  everySeconds: number
  work: () => Promise<unknown>
}

/** Starts now. The stop resolves when a round under way has ended. */
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
        log.warn({ name, err: error }, 'a round failed, the next one tries again')
      }
      await delay(everySeconds * 1000, undefined, { signal: stopped.signal }).catch(() => {})
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
