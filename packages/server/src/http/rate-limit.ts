import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { refused } from '../errors.ts'

// Requests per account and minute, counted in this process: a count in the database would cost more
// than the poll it guards. The account of a key never changes, so it is asked for once and then
// remembered; whether the key still works is not decided here.

export interface Rate {
  /** Takes one request out of the account's budget. Null for a key that nobody owns. */
  take(keyHash: Buffer): Promise<RateState | null>
}

export interface RateState {
  accountId: string
  within: boolean
  headers: Record<string, string>
  /** The request turned out not to count. */
  putBack(): Promise<void>
}

const windowSeconds = 60
const rememberedKeys = 20_000

export function createRate(name: string, perMinute: number, findAccount: FindAccount): Rate {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds })
  const policy = `"${name}";q=${perMinute};w=${windowSeconds}`
  return {
    async take(keyHash) {
      const accountId = await findAccount(keyHash)
      if (accountId === null) return null
      let within = true
      const count: RateLimiterRes = await limiter.consume(accountId).catch((rejected) => {
        within = false
        return rejected
      })
      const seconds = Math.max(1, Math.ceil(count.msBeforeNext / 1000))
      return {
        accountId,
        within,
        headers: {
          'ratelimit-policy': policy,
          ratelimit: `"${name}";r=${count.remainingPoints};t=${seconds}`,
          ...(within ? {} : { 'retry-after': String(seconds) }),
        },
        async putBack() {
          if (within) await limiter.reward(accountId, 1)
        },
      }
    },
  }
}

export type FindAccount = (keyHash: Buffer) => Promise<string | null>

/** Remembers the accounts of the keys that were seen. */
export function rememberAccounts(lookUp: FindAccount): FindAccount {
  const known = new Map<string, string>()
  return async (keyHash) => {
    const name = keyHash.toString('base64')
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const accountId = await lookUp(keyHash)
    if (accountId === null) return null
    if (known.size >= rememberedKeys) known.delete(known.keys().next().value as string)
    known.set(name, accountId)
    return accountId
  }
}

export const overRate = (state: RateState) =>
  refused(
    'rate-limited',
    'Too many requests for this account. Retry-After tells when to go on.',
    state.headers,
  )
