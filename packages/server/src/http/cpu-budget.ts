import { refused } from '../errors.ts'
import { sleep } from '../rounds.ts'

// CPU time that an account may use outside its conversions: a token bucket for each owner, which is an account that has
// no parent, with its child accounts. The cost of a request is known only afterwards, so a bucket can be overdrawn.
// Until it is refilled, further requests are refused before their body is read, and accepted ones wait. The work of one
// owner runs sequentially, so at most one request overdraws it.

interface Bucket {
  seconds: number
  filledAt: number
  lastWork: Promise<unknown>
  underWay: number
}

/** The bucket holds this share of a minute's CPU time. */
const burst = 1 / 4
const maxIdleBuckets = 1000

export function createCpuBudget(secondsPerMinute: number) {
  const capacity = secondsPerMinute * burst
  const secondsPerMillisecond = secondsPerMinute / 60_000
  const buckets = new Map<string, Bucket>()

  const bucketOf = (owner: string): Bucket => {
    const now = performance.now()
    const bucket = buckets.get(owner) ?? {
      seconds: capacity,
      filledAt: now,
      lastWork: Promise.resolve(),
      underWay: 0,
    }
    bucket.seconds = Math.min(capacity, bucket.seconds + (now - bucket.filledAt) * secondsPerMillisecond)
    bucket.filledAt = now
    if (!buckets.has(owner)) {
      if (buckets.size >= maxIdleBuckets) forgetFullBuckets()
      buckets.set(owner, bucket)
    }
    return bucket
  }
  const forgetFullBuckets = () => {
    for (const owner of buckets.keys()) {
      const { seconds, underWay } = bucketOf(owner)
      if (seconds === capacity && underWay === 0) buckets.delete(owner)
    }
  }
  const millisecondsUntilSome = (owner: string): number =>
    Math.max(0, -bucketOf(owner).seconds / secondsPerMillisecond)

  return {
    /** Refuses while the CPU time of this owner is used up. */
    admit(owner: string): void {
      const wait = millisecondsUntilSome(owner)
      if (wait === 0) return
      throw refused(
        'rate-limited',
        'The calls of this account, or of its parent account, used more CPU time than they may. Wait, and make fewer or smaller calls.',
        { 'retry-after': String(Math.ceil(wait / 1000)) },
      )
    },
    charge(owner: string, seconds: number): void {
      bucketOf(owner).seconds -= seconds
    },
    /** Runs the work after earlier work of this owner, when CPU time is left. Rejects when the signal is aborted before. */
    run<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const bucket = bucketOf(owner)
      bucket.underWay += 1
      const turn = bucket.lastWork.then(async () => {
        await sleep(millisecondsUntilSome(owner), signal)
        signal.throwIfAborted()
        return work()
      })
      // The caller gets the error; the next work must run anyway.
      bucket.lastWork = turn
        .catch(() => {})
        .finally(() => {
          bucket.underWay -= 1
        })
      return turn
    },
  }
}

export type CpuBudget = ReturnType<typeof createCpuBudget>
