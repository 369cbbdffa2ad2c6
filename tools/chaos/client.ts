import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@kiln/test-support/random.ts'
import type { ConversionRequest } from './requests.ts'

// A client that follows the interface: it retries with the same idempotency key, on either API process, and treats 503
// and a lost connection as temporary. Any other refusal is a violation.

export interface Acknowledged {
  jobId: string
  request: ConversionRequest
  account: string
  /** False for a file that the client never uploads. */
  uploaded: boolean
  /** The client has deleted it. */
  deleted: boolean
}

export interface Job {
  jobId: string
  status: 'queued' | 'processing' | 'done' | 'failed'
  downloadUrl: string | null
  error: string | null
}

export interface ClientParts {
  key: string
  bases: readonly string[]
  random: Random
  /** Called for everything that no fault excuses. */
  violation: (what: string) => void
  /** Answers by status, for the report. */
  count: (what: string) => void
}

const requestTimeoutMilliseconds = 10_000

export function createClient({ key, bases, random, violation, count }: ClientParts) {
  const authorization = `Bearer ${key}`

  /** Until it is answered with 2xx; a refusal that is the client's own fault gives null. */
  const persist = async (
    what: string,
    send: (base: string) => Promise<Response>,
    giveUpAt: number,
  ): Promise<Response | null> => {
    for (;;) {
      const answer = await send(random.pick(bases)).catch((error: Error) => error)
      if (!(answer instanceof Error)) {
        count(`${what} ${answer.status}`)
        if (answer.ok) return answer
        const text = await answer.text().catch(() => '')
        if (answer.status !== 503 && answer.status !== 429) {
          violation(`${what} was answered ${answer.status}: ${text}`)
          return null
        }
        if (!answer.headers.get('retry-after')) violation(`${what}: ${answer.status} without Retry-After`)
      } else count(`${what} ${answer.name === 'TimeoutError' ? 'timed out' : 'connection lost'}`)
      if (Date.now() > giveUpAt) {
        violation(`${what} was not answered in all this time`)
        return null
      }
      await sleep(random.between(100, 400))
    }
  }
  const limit = () => AbortSignal.timeout(requestTimeoutMilliseconds)

  const post = (request: ConversionRequest) => (base: string) =>
    fetch(`${base}/v1/conversions`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        'idempotency-key': request.idempotencyKey,
      },
      body: JSON.stringify({ pair: request.pair, bytes: request.body.length }),
      signal: limit(),
    })
  const submit = async (request: ConversionRequest, giveUpAt: number) => {
    const answer = await persist('submit', post(request), giveUpAt)
    return answer && ((await answer.json()) as { jobId: string; uploadUrl: string })
  }

  return {
    submit,
    /** Two concurrent submits with the same key, as an impatient client sends them: both must return the same job. */
    async submitTwice(request: ConversionRequest, giveUpAt: number) {
      const [first, second] = await Promise.all([submit(request, giveUpAt), submit(request, giveUpAt)])
      if (first && second && first.jobId !== second.jobId)
        violation(`one idempotency key, two jobs: ${first.jobId} and ${second.jobId}`)
      return first
    },
    /** Straight to the storage, which may be away: then again, and later with a fresh link. */
    async upload(request: ConversionRequest, uploadUrl: string, giveUpAt: number): Promise<boolean> {
      let url = uploadUrl
      for (let tries = 0; Date.now() < giveUpAt; tries++) {
        const answer = await fetch(url, {
          method: 'PUT',
          body: new Uint8Array(request.body),
          signal: limit(),
        }).catch(() => null)
        // A lost connection is counted below.
        await answer?.arrayBuffer().catch(() => null)
        count(`upload ${answer?.status ?? 'connection lost'}`)
        if (answer?.ok) return true
        await sleep(random.between(100, 500))
        if (tries % 5 === 4) url = (await submit(request, giveUpAt))?.uploadUrl ?? url
      }
      violation('an upload did not get through in all this time')
      return false
    },
    async poll(jobId: string, giveUpAt: number, prefer = ''): Promise<Job | null> {
      const answer = await persist(
        'poll',
        (base) =>
          fetch(`${base}/v1/conversions/${jobId}`, {
            headers: { authorization, ...(prefer ? { prefer } : {}) },
            signal: prefer ? AbortSignal.timeout(40_000) : limit(),
          }),
        giveUpAt,
      )
      // A connection can still break in the middle of the body.
      return answer ? ((await answer.json().catch(() => null)) as Job | null) : null
    },
    /** Deletes the job in any state. */
    async delete(jobId: string, giveUpAt: number): Promise<boolean> {
      const init = { method: 'DELETE', headers: { authorization } }
      const send = (base: string) => fetch(`${base}/v1/conversions/${jobId}`, { ...init, signal: limit() })
      return (await persist('delete', send, giveUpAt)) !== null
    },
    async usage(giveUpAt: number) {
      const answer = await persist(
        'usage',
        (base) => fetch(`${base}/v1/usage`, { headers: { authorization }, signal: limit() }),
        giveUpAt,
      )
      return answer && ((await answer.json()) as { currentWindow: { account: { jobs: number } } })
    },
  }
}

export type Client = ReturnType<typeof createClient>
