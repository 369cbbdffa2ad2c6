export interface ConversionPair {
  from: string
  to: string
  pair: string
  label: string
  freeMaxBytes: number
  freeMaxMB: number
  costCredits: number
}

export interface FormatsResponse {
  pairs: ConversionPair[]
}

/** A pair with its options. */
export interface PairDescription extends ConversionPair {
  /** JSON Schema of the object `options` that a submit of this pair takes. */
  options: Record<string, unknown>
}

export interface SubmitRequest {
  pair: string
  bytes: number
  /** Options of the pair; `GET /v1/formats/{pair}` describes them. */
  options?: Record<string, unknown>
}

export interface SubmitResult {
  jobId: string
  uploadUrl: string
  pollUrl: string
  /** Present on replays of an earlier identical submit. */
  idempotent?: true
}

export const jobStatuses = ['queued', 'processing', 'done', 'failed'] as const
export type JobStatus = (typeof jobStatuses)[number]

export interface Job {
  jobId: string
  status: JobStatus
  downloadUrl: string | null
  error: string | null
  /** ISO 8601, UTC, with milliseconds and `Z`. */
  expiresAt: string | null
}

export interface UsageSnapshot {
  freeTier: { jobsPerMonth: number; jobsRemaining: number }
  creditsBalance: number
  currentWindow: { windowStart: string; account: { jobs: number; bytes: number } }
}
