import { batchCalls } from './batching.ts'
import type { Database } from './connect.ts'
import { retryOnDeadlock } from './retry-on-deadlock.ts'

// Submits that arrive while others are on their way go to the database together, in one transaction. Without this,
// submits of one account would follow each other at the pace of the disk: each holds the account's month until its
// commit.
// What becomes of an order is decided by submit_conversions (foundation-functions.ts), for one as for many.

export interface SubmitOrder {
  keyHash: Buffer
  pair: string
  lane: string
  bytes: number
  cost: number
  idempotencyKey: string | null
  options?: Readonly<Record<string, unknown>> | null | undefined
  /** Secret options, encrypted. */
  secrets?: string | null | undefined
  /** Why a new job is refused; an earlier one is replayed all the same. */
  refusal: SubmitRefusal | null
  /** The trace that the job's later steps belong to. */
  traceParent: string | null
}

export type SubmitRefusal = 'rate-limited' | 'account-busy' | 'account-failing' | 'queue-full'

export interface SubmitTerms {
  freePerMonth: number
  uploadSeconds: number
}

export type Submitted =
  | { outcome: 'created' | 'replay'; jobId: string; uploadExpiresAt: Date }
  | { outcome: 'unknown-key' | 'mismatch' | 'no-credits' | SubmitRefusal }

interface SubmitRow {
  outcome: Submitted['outcome']
  jobId: string | null
  uploadExpiresAt: Date | null
}

export const createSubmitCalls = (database: Database, terms: SubmitTerms) =>
  batchCalls(
    (orders: SubmitOrder[]) => submitTogether(database, orders, terms),
    ({ idempotencyKey }) => idempotencyKey,
  )

const uniqueViolation = '23505'
const checkViolation = '23514'

/** One answer for each order, in their order. */
export async function submitTogether(
  database: Database,
  orders: readonly SubmitOrder[],
  { freePerMonth, uploadSeconds }: SubmitTerms,
): Promise<Submitted[]> {
  const sent = orders.map(({ keyHash, ...order }) => ({ ...order, keyHash: keyHash.toString('hex') }))
  const call = async (): Promise<Submitted[]> => {
    const rows = await database.prepared<SubmitRow>(
      'submit-conversions',
      'select outcome, "jobId", "uploadExpiresAt" from submit_conversions($1, $2, $3) order by place',
      [JSON.stringify(sent), freePerMonth, uploadSeconds],
    )
    return rows.map((row) => (row.jobId === null ? { outcome: row.outcome } : row) as Submitted)
  }
  try {
    return await retryOnDeadlock(call)
  } catch (error) {
    const { code } = error as { code?: string }
    // Everything was undone. What was in the way has gone by now: another submit with the same idempotency key,
    // whose job is found.
    if (code === uniqueViolation) return retryOnDeadlock(call)
    // The credits were taken away between the look and the charge.
    if (code === checkViolation && orders.length === 1) return [{ outcome: 'no-credits' }]
    throw error
  }
}
