import { batchCalls } from './batching.ts'
import type { Database } from './connect.ts'
import { retryOnDeadlock } from './retries.ts'

// Submits that arrive while others are in progress are sent to the database together, in one transaction. Otherwise the
// submits of one account would be limited by the latency of the disk: each holds the lock of the account's month until
// its commit. submit_conversions (foundation-functions.ts) decides the outcome of each order.

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
  /** Why a new job is refused; a replay of an earlier one is answered anyway. */
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

/** One outcome per order, in order. */
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
    // Everything was rolled back because of another submit with the same idempotency key. That one is committed by now,
    // so the retry finds its job.
    if (code === uniqueViolation) return retryOnDeadlock(call)
    // The credits were removed between the check and the charge.
    if (code === checkViolation && orders.length === 1) return [{ outcome: 'no-credits' }]
    throw error
  }
}
