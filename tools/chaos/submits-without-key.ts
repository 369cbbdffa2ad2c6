import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './accounts.ts'

// A client that sends no idempotency key and never repeats a submit. Its charges must match its responses: a job for
// each 201, nothing for an error. Only for a broken connection both are allowed.

export interface SubmitsWithoutKey {
  account: Account
  /** Jobs that a 201 named. */
  acknowledged: ReadonlySet<string>
  refused: number
  lost: number
}

const requestTimeoutMilliseconds = 10_000
const pauseMilliseconds = 100

export function startSubmitsWithoutKey(
  account: Account,
  bases: readonly string[],
  lasts: AbortSignal,
): { submits: SubmitsWithoutKey; done: Promise<void> } {
  const acknowledged = new Set<string>()
  const submits: SubmitsWithoutKey = { account, acknowledged, refused: 0, lost: 0 }
  const submit = async (base: string) => {
    try {
      const answer = await fetch(`${base}/v1/conversions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ pair: 'md-to-html', bytes: 1 }),
        signal: AbortSignal.timeout(requestTimeoutMilliseconds),
      })
      const { jobId } = (await answer.json()) as { jobId?: string }
      if (jobId === undefined) submits.refused += 1
      else acknowledged.add(jobId)
    } catch {
      // The connection broke before the response was complete.
      submits.lost += 1
    }
  }
  const live = async () => {
    for (let turn = 0; !lasts.aborted; turn++) {
      await submit(bases[turn % bases.length] ?? '')
      await sleep(pauseMilliseconds)
    }
  }
  return { submits, done: live() }
}
