import { setTimeout as delay } from 'node:timers/promises'

export interface Rounds {
  /** Resolves when a running round has ended. */
  stop(): Promise<void>
}

/** Repeats the work, which must not reject, with a pause after each round. The first round starts after `firstPause`. */
export function startRounds(milliseconds: number, work: () => Promise<unknown>, firstPause = 0): Rounds {
  const stopped = new AbortController()
  const repeat = async () => {
    if (firstPause > 0) await sleep(firstPause, stopped.signal)
    while (!stopped.signal.aborted) {
      await work()
      await sleep(milliseconds, stopped.signal)
    }
  }
  const running = repeat()
  return {
    async stop() {
      stopped.abort()
      await running
    },
  }
}

/** Resolves after this time, or as soon as the signal is aborted. */
export const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  delay(milliseconds, undefined, { signal }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
  })
