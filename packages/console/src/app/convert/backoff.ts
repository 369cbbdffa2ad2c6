import { CallFailed } from '../../shared/api.ts'

// When to try again after a request failed.

export interface RetryDelay {
  milliseconds: number
  note: string
}

const longestBackoffMilliseconds = 15_000
const maxServerFailures = 5

/** Null when trying again would not help. */
export function retryDelayAfter(failure: unknown, attempt: number): RetryDelay | null {
  if (!(failure instanceof CallFailed)) return null
  const { status, retryAfterSeconds } = failure
  const backoff = Math.min(longestBackoffMilliseconds, 1000 * 2 ** attempt)
  if (status === 0)
    return {
      milliseconds: backoff,
      note: 'No connection. It continues by itself when the connection is back.',
    }
  if (status === 429 || status === 503)
    return {
      milliseconds: retryAfterSeconds === null ? backoff : retryAfterSeconds * 1000,
      note: 'The service is busy. It continues by itself.',
    }
  if (status >= 500 && attempt < maxServerFailures)
    return { milliseconds: backoff, note: 'The service had a problem. Trying again.' }
  return null
}

/** Resolves after the time, or as soon as the browser is online again. */
export function untilOnline(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    addEventListener('online', end)
  })
}

/** Runs at most `limit` tasks at a time; the others wait in order. */
export function createSemaphore(limit: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
