import type { Clock } from './clock.ts'
import { KilnError } from './errors.ts'

// What is tried again, and when. Every operation of the interface may be repeated: a submit carries
// its idempotency key, an upload replaces itself, the rest only reads. So a lost answer, an
// overloaded service and a rate limit are tried again. The service's Retry-After is honoured when it
// is sane; otherwise the pause doubles from half a second to eight, with jitter, so that a crowd of
// clients does not come back all at once.

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
      // A pause that the deadline would cut short is useless: the reason says more than a timeout.
      if (pause >= clock.remaining()) throw error
      await clock.sleep(pause)
    }
  }
}
