import type { Database } from './connect.ts'

export type SubmitOutcome =
  | 'unknown-key'
  | 'ended-key'
  | 'mismatch'
  | 'replay'
  | 'rate-limited'
  | 'queue-full'
  | 'no-credits'
  | 'created'

export interface SubmitRow {
  outcome: SubmitOutcome
  account_id: string | null
  job_id: string | null
  upload_expires_at: Date | null
}

export interface SubmitArguments {
  keyHash: Buffer
  pair: string
  lane: string
  bytes: number
  cost: number
  idempotencyKey: string | null
  /** Why a new job is refused; an earlier one is replayed all the same. */
  refusal: 'rate-limited' | 'queue-full' | null
  freePerMonth: number
  uploadSeconds: number
}

const uniqueViolation = '23505'
const checkViolation = '23514'
const deadlockDetected = '40P01'

export async function callSubmit(database: Database, a: SubmitArguments): Promise<SubmitRow> {
  const call = async () => {
    const rows = await database.prepared<SubmitRow>(
      'submit-conversion',
      'select * from submit_conversion($1, $2, $3, $4, $5, $6, $7, $8, $9)',
      [
        a.keyHash,
        a.pair,
        a.lane,
        a.bytes,
        a.cost,
        a.idempotencyKey,
        a.refusal,
        a.freePerMonth,
        a.uploadSeconds,
      ],
    )
    return rows[0] as SubmitRow
  }
  try {
    return await call()
  } catch (error) {
    const { code } = error as { code?: string }
    // Another submit with the same idempotency key was quicker: now its job is found. Locks are taken in one
    // order, so a deadlock should not be; if it is one after all, everything was undone and nobody else waits.
    if (code === uniqueViolation || code === deadlockDetected) return call()
    // The credits were taken away between the look and the charge.
    if (code === checkViolation)
      return { outcome: 'no-credits', account_id: null, job_id: null, upload_expires_at: null }
    throw error
  }
}
