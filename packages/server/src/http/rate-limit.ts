import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { refused } from '../errors.ts'
import type { KeyCache } from './key-cache.ts'

// Requests per account, counted in this process over fixed windows: a count in the database would cost more than the
// poll that it limits. A parent and its accounts share one budget, so that accounts do not multiply it. A revoked key
// is answered 401, also beyond the rate.

export interface Rate {
  /** Takes one request from the account's budget. Null for an unknown key. */
  take(keyHash: Buffer): Promise<RateState | null>
}

export interface RateState {
  accountId: string
  within: boolean
  /** Seconds until requests are accepted again. */
  seconds: number
  headers: Record<string, string>
  /** Returns the request to the budget, because it does not count. */
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
