import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from '../errors.ts'

// A process that starts while the database is unavailable waits for it. If it exited instead, its supervisor would
// restart it repeatedly and eventually give up.

const pauseMilliseconds = 500

/** Retries until the work reaches the database; any other error is thrown. */
export async function waitForDatabase<T>(
  work: () => Promise<T>,
  report: (error: unknown) => void,
): Promise<T> {
  for (let isReported = false; ; ) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) && !isUnavailable((error as { cause?: unknown }).cause)) throw error
      if (!isReported) report(error)
      isReported = true
      await delay(pauseMilliseconds)
    }
  }
}
