import type { ConversionReport } from '@kiln/contract'
import type { ColumnType, Generated } from 'kysely'

// The tables as Kysely sees them. bigint columns arrive as numbers: see connect.ts.

type GeneratedTime = ColumnType<Date, never, never>

export interface AccountsTable {
  id: Generated<string>
  name: string
  credits: Generated<number>
  created_at: GeneratedTime
  parent_id: string | null
}

export interface ApiKeysTable {
  id: Generated<string>
  account_id: string
  hash: Buffer
  hint: string
  created_at: GeneratedTime
  ends_at: Date | null
  /** Belongs to the web app: only its hash exists. */
  is_internal: Generated<boolean>
}

export interface UsageWindowsTable {
  account_id: string
  window_start: string
  jobs: Generated<number>
  bytes: Generated<number>
  free_used: Generated<number>
}

export interface LedgerTable {
  id: Generated<number>
  account_id: string
  job_id: string | null
  kind: 'grant' | 'charge' | 'refund'
  credits: number
  free: Generated<number>
  window_start: string | null
  reason: string
  created_at: GeneratedTime
}

export interface JobsTable {
  id: Generated<string>
  account_id: string
  pair: string
  lane: string
  bytes: number
  status: Generated<'queued' | 'processing' | 'done' | 'failed'>
  idempotency_key: string | null
  options: Record<string, unknown> | null
  secrets: string | null
  created_at: GeneratedTime
  upload_expires_at: Date
  uploaded_at: Date | null
  turn: number | null
  attempt: Generated<number>
  /** Hash of the lease token of the worker that runs it. */
  lease_hash: Buffer | null
  hand_backs: Generated<number>
  started_at: Date | null
  /** CPU time of all attempts. */
  cpu_seconds: Generated<number>
  progress: number | null
  outcome: 'done' | 'failed' | null
  failure_word: string | null
  failure_sentence: string | null
  output_object: string | null
  output_bytes: number | null
  /** The report of the converter; null for a job that ended without a conversion. */
  report: ConversionReport | null
  finished_at: Date | null
  expires_at: Date | null
  /** The failed job whose input this one converts again. */
  retry_of: string | null
  trace_parent: string | null
}

export interface OperatorTable {
  one: Generated<boolean>
  password_hash: string
  changed_at: Generated<Date>
  account_id: string | null
  key_hash: Buffer | null
}

export interface OperatorSessionsTable {
  token_hash: Buffer
  created_at: GeneratedTime
  ends_at: Date
}

export interface Tables {
  accounts: AccountsTable
  api_keys: ApiKeysTable
  usage_windows: UsageWindowsTable
  ledger: LedgerTable
  jobs: JobsTable
  operator: OperatorTable
  operator_sessions: OperatorSessionsTable
}
