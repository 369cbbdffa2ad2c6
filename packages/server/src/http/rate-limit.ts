import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { refused } from '../errors.ts'
import type { KeyCache } from './key-cache.ts'

// Requests per account, counted in this process over windows of a fixed length: a count in the database would cost
// more than the poll it guards. A parent and its accounts have one budget, so that accounts do not multiply it. A key
// that no longer works is answered 401, also past the rate.

export interface Rate {
  /** Takes one request out of the account's budget. Null for an unknown key. */
  take(keyHash: Buffer): Promise<RateState | null>
}

export interface RateState {
  accountId: string
  within: boolean
  /** In how many seconds there is room again. */
  seconds: number
  headers: Record<string, string>
  /** The request turned out not to count. */
  putBack(): Promise<void>
}

export interface RateLimit {
  perMinute: number
  windowSeconds: number
}

export function createRate(name: string, { perMinute, windowSeconds }: RateLimit, keys: KeyCache): Rate {
  const quota = Math.max(1, Math.round((perMinute * windowSeconds) / 60))
  const limiter = new RateLimiterMemory({ points: quota, duration: windowSeconds })
  const policy = `"${name}";q=${quota};w=${windowSeconds}`
  return {
    async take(keyHash) {
      const account = await keys.accountOf(keyHash)
      if (account === null) return null
      const { accountId, familyId } = account
      let within = true
      const count: RateLimiterRes = await limiter.consume(familyId).catch((rejected) => {
        within = false
        return rejected
      })
      if (!within && (await keys.workingAccountOf(keyHash)) === null) return null
      const seconds = Math.max(1, Math.ceil(count.msBeforeNext / 1000))
      return {
        accountId,
        within,
        seconds,
        headers: {
          'ratelimit-policy': policy,
          ratelimit: `"${name}";r=${count.remainingPoints};t=${seconds}`,
        },
        async putBack() {
          if (within) await limiter.reward(familyId, 1)
        },
      }
    },
  }
}

export const overRate = ({ headers, seconds }: RateState) =>
  refused(
    'rate-limited',
    'Too many requests for this account, or for its parent account. Try again after the time in Retry-After.',
    {
      ...headers,
      'retry-after': String(seconds),
    },
  )
