import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { refused } from '../errors.ts'

// Requests per account and minute, counted in this process: a count in the database would cost more
// than the poll it guards. The account of a key never changes, so it is remembered; a key that is
// seen for the first time is counted after its first call.

export interface Rate {
  /** Takes one request out of the budget, if the key's account is known. */
  take(keyHash: Buffer): Promise<RateState | null>
  /** Tells whose key it was. Counts the request if `take` could not. */
  settle(keyHash: Buffer, accountId: string, taken: RateState | null): Promise<RateState>
  /** The request turned out not to count. */
  putBack(accountId: string): Promise<void>
}

export interface RateState {
  within: boolean
  headers: Record<string, string>
}

const windowSeconds = 60
const rememberedKeys = 20_000

export function createRate(name: string, perMinute: number): Rate {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds })
  const accounts = new Map<string, string>()
  const policy = `"${name}";q=${perMinute};w=${windowSeconds}`

  const count = async (accountId: string): Promise<RateState> => {
    try {
      return stateOf(await limiter.consume(accountId), true)
    } catch (rejected) {
      return stateOf(rejected as RateLimiterRes, false)
    }
  }
  const stateOf = (result: RateLimiterRes, within: boolean): RateState => {
    const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000))
    return {
      within,
      headers: {
        'ratelimit-policy': policy,
        ratelimit: `"${name}";r=${result.remainingPoints};t=${seconds}`,
        ...(within ? {} : { 'retry-after': String(seconds) }),
      },
    }
  }

  return {
    async take(keyHash) {
      const accountId = accounts.get(keyHash.toString('base64'))
      return accountId === undefined ? null : count(accountId)
    },
    async settle(keyHash, accountId, taken) {
      if (taken) return taken
      if (accounts.size >= rememberedKeys) accounts.delete(accounts.keys().next().value as string)
      accounts.set(keyHash.toString('base64'), accountId)
      return count(accountId)
    },
    async putBack(accountId) {
      await limiter.reward(accountId, 1)
    },
  }
}

export const overRate = (state: RateState) =>
  refused(
    'rate-limited',
    'Too many requests for this account. Retry-After tells when to go on.',
    state.headers,
  )
