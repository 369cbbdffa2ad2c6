import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, type Random } from '@kiln/test-support/random.ts'
import type { Account } from './accounts.ts'
import { type Acknowledged, type Client, createClient } from './client.ts'
import type { Form } from './forms.ts'
import { makeRequest } from './requests.ts'

// Clients of every kind: most upload and poll; some upload and never ask again; some send everything
// twice; some delete their job again; in the long form a few never upload at all.

export interface Workload {
  acknowledged: Acknowledged[]
  counts: Map<string, number>
  clientOf(account: Account): Client
  /** Resolves when every client has finished its last conversion. */
  done: Promise<void>
}

export interface WorkloadOptions {
  seed: number
  form: Form
  accounts: readonly Account[]
  bases: readonly string[]
  /** Aborted when no further conversion is to start. */
  lasts: AbortSignal
  /** Nothing may take longer than this. */
  giveUpAt: number
  violation: (what: string) => void
}

export function startWorkload(options: WorkloadOptions): Workload {
  const { form, accounts, lasts, giveUpAt } = options
  const acknowledged: Acknowledged[] = []
  const counts = new Map<string, number>()
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1)
  const clientFor = (account: Account, random: Random) =>
    createClient({ key: account.key, bases: options.bases, random, violation: options.violation, count })

  const live = async (number: number) => {
    const random = createRandom(options.seed * 1000 + number)
    const account = accounts[number % accounts.length] as Account
    const client = clientFor(account, random)
    while (!lasts.aborted) {
      const request = makeRequest(random)
      const kind = random.next()
      const twice = kind < 0.15
      const submitted = twice
        ? await client.submitTwice(request, giveUpAt)
        : await client.submit(request, giveUpAt)
      if (!submitted) continue
      const neverUploads = kind > 0.97 && form.uploadTtlSeconds < form.patienceSeconds
      const record: Acknowledged = {
        jobId: submitted.jobId,
        request,
        account: account.id,
        uploaded: false,
        deleted: false,
      }
      acknowledged.push(record)
      if (neverUploads) continue
      record.uploaded = await client.upload(request, submitted.uploadUrl, giveUpAt)
      if (twice) await client.upload(request, submitted.uploadUrl, giveUpAt)
      if (kind > 0.87) {
        // Some change their minds: while it waits, runs, or is done.
        await sleep(random.between(0, 1500))
        record.deleted = await client.delete(submitted.jobId, giveUpAt)
      }
      if (kind < 0.75) await followToTheEnd(client, submitted.jobId, random)
      await sleep(random.between(100, 700))
    }
  }
  const followToTheEnd = async (client: Client, jobId: string, random: Random) => {
    while (Date.now() < giveUpAt) {
      const job = await client.poll(jobId, giveUpAt, random.next() < 0.3 ? 'wait=5' : '')
      if (job?.status === 'done' || job?.status === 'failed') return
      await sleep(random.between(200, 600))
    }
  }
  const done = Promise.all(Array.from({ length: form.clients }, (_, number) => live(number))).then(() => {})
  return {
    acknowledged,
    counts,
    clientOf: (account) => clientFor(account, createRandom(options.seed)),
    done,
  }
}

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
