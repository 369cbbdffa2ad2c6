import type { ColumnType, Generated } from 'kysely'

// The tables as Kysely sees them. bigint columns arrive as numbers: see connect.ts.

type GeneratedTime = ColumnType<Date, never, never>

export interface AccountsTable {
  id: Generated<string>
  name: string
  credits: Generated<number>
  created_at: GeneratedTime
}

export interface ApiKeysTable {
  id: Generated<string>
  account_id: string
  hash: Buffer
  hint: string
  created_at: GeneratedTime
  ends_at: Date | null
}

export interface UsageWindowsTable {
  account_id: string
  window_start: string
  jobs: Generated<number>
  bytes: Generated<number>
  free_used: Generated<number>
  last_was_free: Generated<boolean>
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
  created_at: GeneratedTime
  upload_expires_at: Date
  uploaded_at: Date | null
  turn: number | null
  attempt: Generated<number>
  started_at: Date | null
  progress: number | null
  outcome: 'done' | 'failed' | null
  error: string | null
  output_object: string | null
  output_bytes: number | null
  finished_at: Date | null
  expires_at: Date | null
}

export interface Tables {
  accounts: AccountsTable
  api_keys: ApiKeysTable
  usage_windows: UsageWindowsTable
  ledger: LedgerTable
  jobs: JobsTable
}
