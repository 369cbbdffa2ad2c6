import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/connect.ts'
import { hasWaitingJobs } from '../db/jobs.ts'

// How many jobs wait is looked up every second, not at every submit. Past the bound new ones are
// refused: a queue that only grows serves nobody.

export interface Backlog {
  isFull(): boolean
  stop(): Promise<void>
}

const lookEveryMilliseconds = 1000

export async function watchBacklog(database: Database, bound: number): Promise<Backlog> {
  const stopped = new AbortController()
  let full = await hasWaitingJobs(database, bound).catch(() => false)
  const watch = async () => {
    while (!stopped.signal.aborted) {
      await delay(lookEveryMilliseconds, undefined, { signal: stopped.signal }).catch(() => {})
      // While the database is away, submits are refused for that reason.
      if (!stopped.signal.aborted) full = await hasWaitingJobs(database, bound).catch(() => full)
    }
  }
  const watching = watch()
  return {
    isFull: () => full,
    async stop() {
      stopped.abort()
      await watching
    },
  }
}
