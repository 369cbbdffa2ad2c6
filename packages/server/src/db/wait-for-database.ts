import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from '../errors.ts'

// A process that starts while the database is away waits for it. Ending instead would make the supervisor that looks
// after the process start it over and over, and give it up at last.

const pauseMilliseconds = 500

/** Tries until the work gets through to the database; any other fault is the caller's. */
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
