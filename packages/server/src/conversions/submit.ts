import type { SubmitResult } from '@kiln/contract'
import { classifyUnlisted, findPair, type Pair } from '@kiln/converter/catalog'
import type { Database } from '../db/connect.ts'
import { writeTraceParent } from '../db/jobs.ts'
import type { SubmitOutcome } from '../db/submit.ts'
import { createSubmitCalls } from '../db/submit-together.ts'
import { refused } from '../errors.ts'
import { inputObject } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'

// Step 1: a conversion is declared. The pair and the size are judged here; key, replay, rate,
// allowance and credits in one call of the database (db/migrations/0002 and 0004).

export interface SubmitOrder {
  keyHash: Buffer
  pair: string
  bytes: number
  idempotencyKey: string | null
  refusal: 'rate-limited' | 'queue-full' | null
  /** Kept with the job, where there is a trace. */
  traceParent?: string | null
}

export type SubmitAnswer =
  | { outcome: 'created' | 'replay'; accountId: string; result: SubmitResult }
  | { outcome: Exclude<SubmitOutcome, 'created' | 'replay'>; accountId: string | null }

export interface SubmitParts {
  database: Database
  storage: Storage
  prefix: string
  freeJobsPerMonth: number
  uploadTtlSeconds: number
}

export type Submit = (order: SubmitOrder) => Promise<SubmitAnswer>

export function createSubmit(parts: SubmitParts): Submit {
  const callSubmit = createSubmitCalls(parts.database, {
    freePerMonth: parts.freeJobsPerMonth,
    uploadSeconds: parts.uploadTtlSeconds,
  })

  return async (order) => {
    const pair = requirePair(order.pair, order.bytes)
    const row = await callSubmit({
      keyHash: order.keyHash,
      pair: pair.slug,
      lane: pair.lane,
      bytes: order.bytes,
      cost: pair.credits,
      idempotencyKey: order.idempotencyKey,
      refusal: order.refusal,
    })
    if (row.outcome !== 'created' && row.outcome !== 'replay') {
      return { outcome: row.outcome, accountId: row.account_id }
    }
    const jobId = row.job_id as string
    if (order.traceParent && row.outcome === 'created') {
      await writeTraceParent(parts.database, jobId, order.traceParent)
    }
    const uploadUrl = await parts.storage.uploadUrl({
      object: inputObject(jobId),
      bytes: order.bytes,
      expiresAt: row.upload_expires_at as Date,
    })
    const result: SubmitResult = {
      jobId,
      uploadUrl,
      pollUrl: `${parts.prefix}/v1/conversions/${jobId}`,
      ...(row.outcome === 'replay' ? { idempotent: true } : {}),
    }
    return { outcome: row.outcome, accountId: row.account_id as string, result }
  }
}

function requirePair(slug: string, bytes: number): Pair {
  const pair = findPair(slug)
  if (!pair) throw refusePair(slug)
  if (bytes > pair.maxBytes) {
    throw refused(
      'too-large',
      `The file has ${bytes} bytes, but ${pair.label} takes at most ${pair.maxBytes} bytes (${megabytes(pair)} MB).`,
    )
  }
  return pair
}

function refusePair(slug: string) {
  if (classifyUnlisted(slug) === 'client-pair') {
    return refused(
      'client-pair',
      'Browsers do this conversion themselves: use the free client-side SDK. This service converts only what a browser cannot.',
    )
  }
  return refused('unknown-pair', 'This pair is not offered. GET /v1/formats lists the pairs that are.')
}

export const megabytes = (pair: Pair): number => Math.floor(pair.maxBytes / (1024 * 1024))
