import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from '../errors.ts'

// Some transactions have to take the same locks in opposite orders: a worker that takes a job finds it in the queue and
// then locks its row, and a request that ends a job locks its row and then removes it from the queue. When two of them
// deadlock, PostgreSQL rolls one back and lets the other commit. The one that was rolled back is run again.

const deadlockDetected = '40P01'
/** Each deadlock lets one transaction through, so a second one is rare; more than a few have another cause. */
const maxAttempts = 5

export async function retryOnDeadlock<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if ((error as { code?: unknown }).code !== deadlockDetected || attempt === maxAttempts) throw error
    }
  }
}

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
