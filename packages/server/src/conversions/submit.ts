import { randomUUID } from 'node:crypto'
import { classifyUnlisted, isOpenClientPair, type SubmitResult } from '@kiln/contract'
import { checkOptions, internalPairs, type Options, type Pair } from '@kiln/converter/catalog'
import type { Database } from '../db/connect.ts'
import { createSubmitCalls, type SubmitOrder, type Submitted } from '../db/submit.ts'
import { refused } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { sleep } from '../rounds.ts'
import { inputObject } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'
import type { EndJob } from './end-job.ts'
import { createSecretOptions } from './job-storage.ts'

// Step 1: a conversion is submitted. The pair, its options and the size are validated here; key, replay, rate,
// allowance and credits in one database call (submit_conversions in db/foundation-functions.ts).

export interface SubmitRequest extends Omit<SubmitOrder, 'lane' | 'cost' | 'options' | 'secrets'> {
  options?: Readonly<Record<string, unknown>> | undefined
  /** Also accept the pairs and options that only the compatibility APIs use. */
  withInternal?: boolean
}

export type SubmitAnswer =
  | { outcome: 'created' | 'replay'; result: SubmitResult }
  | Exclude<Submitted, { jobId: string }>

export interface SubmitParts {
  database: Database
  storage: Storage
  /** The pairs that are offered. */
  pairs: readonly Pair[]
  prefix: string
  freeJobsPerMonth: number
  uploadTtlSeconds: number
  endJob: Pick<EndJob, 'fail'>
  log: Log
}

export type Submit = (request: SubmitRequest) => Promise<SubmitAnswer>

/** No client can send this key: whitespace around a header's value is not part of the value. */
const generatedKey = () => ` ${randomUUID()}`

export function createSubmit(parts: SubmitParts): { submit: Submit; stop(): Promise<void> } {
  const callSubmit = createSubmitCalls(parts.database, {
    freePerMonth: parts.freeJobsPerMonth,
    uploadSeconds: parts.uploadTtlSeconds,
  })

  const secretOptions = createSecretOptions(parts.storage.keyFor)

  const undoSubmits = createUndoSubmits({ submit: callSubmit, endJob: parts.endJob, log: parts.log })

  /** Skips sealing when there are no options. */
  const keptOptions = (options: Options | undefined, idempotencyKey: string) =>
    options === undefined ? {} : secretOptions.seal(options, idempotencyKey)

  const submit: Submit = async (request) => {
    const all = request.withInternal ? [...parts.pairs, ...internalPairs] : parts.pairs
    const offered = all.find(({ slug }) => slug === request.pair)
    if (!offered) throw refusePair(request.pair, parts.pairs)
    const { options, lane, cost } = judge(request, offered)
    // Beyond the rate limit only a replay can succeed, and a replay has an idempotency key.
    if (request.refusal === 'rate-limited' && request.idempotencyKey === null)
      return { outcome: 'rate-limited' }
    const idempotencyKey = request.idempotencyKey ?? generatedKey()
    const order = { ...request, ...keptOptions(options, idempotencyKey), idempotencyKey, lane, cost }
    try {
      return await place(order)
    } catch (error) {
      // A client with its own key finds the job when it repeats the request.
      if (request.idempotencyKey === null) undoSubmits.add(order)
      throw error
    }
  }

  const place = async (order: SubmitOrder): Promise<SubmitAnswer> => {
    const submitted = await callSubmit(order)
    if (!('jobId' in submitted)) return submitted
    const { outcome, jobId, uploadExpiresAt } = submitted
    const uploadUrl = await parts.storage.uploadUrl({
      object: inputObject(jobId),
      bytes: order.bytes,
      expiresAt: uploadExpiresAt,
    })
    const result: SubmitResult = {
      jobId,
      uploadUrl,
      pollUrl: `${parts.prefix}/v1/conversions/${jobId}`,
      ...(outcome === 'replay' ? { idempotent: true } : {}),
    }
    return { outcome, result }
  }

  return { submit, stop: undoSubmits.stop }
}

function judge({ bytes, options, withInternal }: SubmitRequest, pair: Pair) {
  const checked =
    options === undefined ? undefined : checkOptions(pair, options, { withInternal: withInternal === true })
  if (checked && 'fault' in checked) throw refused('bad-request', checked.fault)
  if (bytes > pair.maxBytes) {
    throw refused(
      'too-large',
      `The file has ${bytes} bytes, but ${pair.label} takes at most ${pair.maxBytes} bytes (${megabytes(pair)} MB).`,
    )
  }
  return { options: checked?.options, lane: pair.lane, cost: pair.credits }
}

const inBrowser = (from: string, to: string): string =>
  isOpenClientPair(from, to)
    ? `The browser library @kiln/browser does not convert ${from} to ${to} yet; use a program on your computer.`
    : `Drop the file on the front page of this service: it converts ${from} to ${to} in your browser, free of charge. Programs call convertInBrowser(file, '${to}') of @kiln/browser.`

function refusePair(slug: string, offered: readonly Pair[]) {
  if (classifyUnlisted(slug) === 'client-pair') {
    const [from = '', to = ''] = slug.split('-to-')
    return refused('client-pair', `This service converts only what a browser cannot. ${inBrowser(from, to)}`)
  }
  const [source = ''] = slug.split('-to-', 1)
  const targets = offered.filter(({ from }) => from === source).map(({ to }) => to)
  const choices = targets.length === 0 ? '' : ` ${source} can become: ${targets.join(', ')}.`
  return refused(
    'unknown-pair',
    `This pair is not offered.${choices} GET /v1/formats lists the pairs that are.`,
  )
}

export const megabytes = (pair: Pair): number => Math.floor(pair.maxBytes / (1024 * 1024))

// A submit that was answered with an error may still have been committed: the connection broke after the commit, or the
// database took longer than a caller waits. The caller does not know the job and must not be charged for it, so the job
// is looked up and cancelled, which refunds it. Every order has an idempotency key (submit.ts); repeating it with a
// refusal finds the job, or creates none. The database serializes the submits of an account, so a transaction that is
// still running is waited for; a second lookup follows after the maximum duration of a statement. If the process is
// killed first, the sweeper refunds the job when the upload link has expired.

const retryMilliseconds = 1000
const secondLookMilliseconds = 35_000
const maxPending = 10_000

const failure = {
  word: 'cancelled',
  sentence: 'The submit could not be answered, so it was cancelled. It was not charged; submit again.',
} as const

export interface UndoSubmitsParts {
  submit: (order: SubmitOrder) => Promise<Submitted>
  endJob: Pick<EndJob, 'fail'>
  log: Log
}

function createUndoSubmits({ submit, endJob, log }: UndoSubmitsParts) {
  const stopped = new AbortController()
  const pending = new Set<Promise<void>>()

  const undo = async (order: SubmitOrder) => {
    const found = await submit({ ...order, refusal: 'rate-limited' })
    if (!('jobId' in found)) return
    await endJob.fail(found.jobId, failure)
    log.warn({ jobId: found.jobId }, 'a submit that was answered with an error was cancelled and refunded')
  }

  const undoWhenPossible = async (order: SubmitOrder) => {
    while (!stopped.signal.aborted) {
      try {
        return await undo(order)
      } catch (error) {
        log.debug({ err: error }, 'could not look for a submit that was answered with an error')
        await sleep(retryMilliseconds, stopped.signal)
      }
    }
  }

  return {
    add(order: SubmitOrder): void {
      if (stopped.signal.aborted || pending.size >= maxPending) return
      const undone = (async () => {
        await undoWhenPossible(order)
        await sleep(secondLookMilliseconds, stopped.signal)
        await undoWhenPossible(order)
      })().finally(() => pending.delete(undone))
      pending.add(undone)
    },
    async stop(): Promise<void> {
      stopped.abort()
      await Promise.all(pending)
    },
  }
}
