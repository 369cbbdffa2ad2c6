import { refused, unavailable } from '../errors.ts'

// Limits how many bytes of request bodies are held concurrently, per account with its family and in total. For bodies
// that are read into memory as a whole and stay there until the response.

// A small request also uses memory: a connection, and the objects that serve it.
const minBytes = 256 * 1024
const retryAfterSeconds = 5

export function createBodyBudget(maxPerAccount: number, maxInAll: number) {
  const held = new Map<string, number>()
  let inAll = 0
  return {
    /** Reserves the bytes, or throws; release them when the request has ended. */
    take(account: string, bytes: number) {
      const counted = Math.max(minBytes, bytes)
      const own = (held.get(account) ?? 0) + counted
      if (own > maxPerAccount) {
        throw refused('rate-limited', 'This account has too many calls in progress. Wait for some to end.', {
          'retry-after': String(retryAfterSeconds),
        })
      }
      if (inAll + counted > maxInAll) {
        throw unavailable('Too many calls are in progress. Try again shortly.', undefined, retryAfterSeconds)
      }
      held.set(account, own)
      inAll += counted
      let isBack = false
      return {
        giveBack() {
          if (isBack) return
          isBack = true
          inAll -= counted
          const left = (held.get(account) ?? 0) - counted
          if (left > 0) held.set(account, left)
          else held.delete(account)
        },
      }
    },
  }
}

export type BodyBudget = ReturnType<typeof createBodyBudget>
