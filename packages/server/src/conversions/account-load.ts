import { setTimeout as delay } from 'node:timers/promises'
import { readAccountLoad } from '../db/account-load.ts'
import type { Database } from '../db/connect.ts'
import type { SubmitRefusal } from '../db/submit.ts'

// What each account asks of the service, looked up every second and not at every submit.
//
// - The queue is bounded: one that only grows serves nobody. An account may hold a quarter of it. Past that its
//   own submits are refused, and what it has beyond its share fills the queue for nobody else.
// - A conversion that fails is given back, so failing costs nothing. It is bounded by the time that it takes from
//   others: past ten minutes within an hour, submits of the account are refused, and what it has waiting runs one
//   at a time in each lane.

export interface AccountLoadWatch {
  /** Why a submit of this account is refused just now. */
  refusalOf(accountId: string): SubmitRefusal | null
  /** Have its failing conversions used up their time? */
  failsTooLong(accountId: string): boolean
  /** Did no job wait for a worker or run, at the last look? */
  isIdle(): boolean
  stop(): Promise<void>
}

const lookEveryMilliseconds = 1000
const shareOfAccount = 0.25
const failedSecondsPerHour = 600

export async function watchAccountLoad(database: Database, mostWaiting: number): Promise<AccountLoadWatch> {
  const stopped = new AbortController()
  const mostOfAccount = Math.max(1, Math.floor(mostWaiting * shareOfAccount))
  let isFull = false
  let isIdle = false
  let busy = new Set<string>()
  let failing = new Set<string>()

  const look = async () => {
    const found = await readAccountLoad(database, mostWaiting * 10)
    const idsOf = (isOver: (load: (typeof found)[number]) => boolean) =>
      new Set(found.filter(isOver).map(({ accountId }) => accountId))
    busy = idsOf(({ unended }) => unended >= mostOfAccount)
    failing = idsOf(({ failedSeconds }) => failedSeconds >= failedSecondsPerHour)
    isIdle = found.every(({ unended }) => unended === 0)
    isFull = found.reduce((sum, { unended }) => sum + Math.min(unended, mostOfAccount), 0) >= mostWaiting
  }
  // While the database is away, submits are refused for that reason.
  const tryToLook = () => look().catch(() => {})
  const watch = async () => {
    while (!stopped.signal.aborted) {
      await delay(lookEveryMilliseconds, undefined, { signal: stopped.signal }).catch(() => {})
      if (!stopped.signal.aborted) await tryToLook()
    }
  }
  await tryToLook()
  const watching = watch()
  return {
    refusalOf(accountId) {
      if (failing.has(accountId)) return 'account-failing'
      if (busy.has(accountId)) return 'account-busy'
      return isFull ? 'queue-full' : null
    },
    failsTooLong: (accountId) => failing.has(accountId),
    isIdle: () => isIdle,
    async stop() {
      stopped.abort()
      await watching
    },
  }
}
