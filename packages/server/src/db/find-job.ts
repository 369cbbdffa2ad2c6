import type { FailureWord } from '@kiln/contract'
import type { Lane } from '@kiln/converter/catalog'
import type { Db } from './connect.ts'
import type { JobStatus } from './jobs.ts'
import { queryRow } from './query.ts'

// A job as it is stored, for operators and for consistency checks.

interface JobRecord {
  id: string
  accountId: string
  pair: string
  lane: Lane
  bytes: number
  status: JobStatus
  attempt: number
  handBacks: number
  turn: number | null
  failureWord: FailureWord | null
  failureSentence: string | null
  createdAt: Date
  uploadedAt: Date | null
  startedAt: Date | null
  finishedAt: Date | null
  expiresAt: Date | null
  outputBytes: number | null
  options: Record<string, unknown> | null
}

export const findJob = (db: Db, id: string) =>
  queryRow<JobRecord>(db)`
    select id, account_id as "accountId", pair, lane, bytes, status, attempt, hand_backs as "handBacks", turn,
      failure_word as "failureWord", failure_sentence as "failureSentence", created_at as "createdAt",
      uploaded_at as "uploadedAt", started_at as "startedAt", finished_at as "finishedAt",
      expires_at as "expiresAt", output_bytes as "outputBytes", options
    from jobs where id = ${id}`
