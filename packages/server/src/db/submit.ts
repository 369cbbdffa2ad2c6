import type { Database } from './connect.ts'

export type SubmitOutcome =
  | 'unknown-key'
  | 'ended-key'
  | 'mismatch'
  | 'replay'
  | 'rate-limited'
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
  withinRate: boolean
  freePerMonth: number
  uploadSeconds: number
}

const uniqueViolation = '23505'

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
        a.withinRate,
        a.freePerMonth,
        a.uploadSeconds,
      ],
    )
    return rows[0] as SubmitRow
  }
  try {
    return await call()
  } catch (error) {
    // Two submits with one key on the two sides of midnight at the turn of a month lock different
    // rows; then the unique index decides, and the loser finds the winner's job.
    if ((error as { code?: string }).code === uniqueViolation) return call()
    throw error
  }
}
