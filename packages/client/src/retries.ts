import type { Clock } from './clock.ts'
import { KilnError } from './errors.ts'

// Which requests are retried, and when. Every operation of the interface is idempotent: a submit has its idempotency
// key, an upload replaces itself, all others only read. So a lost response, an overloaded service and a rate limit are
// retried. The service's Retry-After is used when it is plausible; otherwise the backoff doubles from half a second to
// eight, with jitter, so that many clients do not retry at the same time.

const firstPause = 500
const longestPause = 8000
const longestSaneRetryAfter = 60

export function isWorthRetrying(error: unknown): error is KilnError {
  if (!(error instanceof KilnError)) return false
  switch (error.code) {
    case 'connection':
    case 'internal':
    case 'rate-limited':
    case 'request-timeout':
    case 'unavailable':
      return true
    default:
      return false
  }
}

/** Milliseconds before try number `tries + 1`. */
export function pauseBefore(tries: number, retryAfter: number | null, random = Math.random): number {
  if (retryAfter !== null && retryAfter > 0 && retryAfter <= longestSaneRetryAfter) return retryAfter * 1000
  const pause = Math.min(longestPause, firstPause * 2 ** (tries - 1))
  return pause * (1 - random() / 2)
}

export async function withRetries<T>(
  clock: Clock,
  maxRetries: number,
  attempt: () => Promise<T>,
  mayRetry: () => boolean = () => true,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      clock.check()
      if (!isWorthRetrying(error) || tries > maxRetries || !mayRetry()) throw error
      const pause = pauseBefore(tries, error.retryAfter)
      // Waiting beyond the deadline is useless, and this error is more specific than a timeout.
      if (pause >= clock.remaining()) throw error
      await clock.sleep(pause)
    }
  }
}
