import type { ConversionReport, FailureWord } from '@kiln/contract'
import type { Database } from './connect.ts'
import type { JobStatus } from './jobs.ts'

// A job as the holder of a key asks for it: key check and job in one round trip. Null when the key is unknown or has
// ended. Whether the job is theirs is for the caller to see.

interface JobOfKey {
  keyAccountId: string
  /** Null when there is no such job. */
  id: string | null
  accountId: string
  pair: string
  bytes: number
  status: JobStatus
  failureSentence: string | null
}

export interface PolledJob extends JobOfKey {
  isUploaded: boolean
  failureWord: FailureWord | null
  progress: number | null
  outputObject: string | null
  expiresAt: Date | null
  isExpired: boolean
}

export interface ReportedJob extends JobOfKey {
  report: ConversionReport | null
}

type ReadJob<Row> = (database: Database, keyHash: Buffer, jobId: string) => Promise<Row | null>

/** `columns` are those besides the ones of every such read. */
const reader = <Row extends JobOfKey>(name: string, columns: string): ReadJob<Row> => {
  const text = `
    select k.account_id as "keyAccountId", j.id, j.account_id as "accountId", j.pair, j.bytes, j.status,
           j.failure_sentence as "failureSentence", ${columns}
    from live_keys k left join jobs j on j.id = $2
    where k.hash = $1`
  return async (database, keyHash, jobId) =>
    (await database.prepared<Row>(name, text, [keyHash, jobId]))[0] ?? null
}

export const readJobForKey = reader<PolledJob>(
  'read-job-for-key',
  `j.uploaded_at is not null as "isUploaded", j.failure_word as "failureWord", j.progress,
   j.output_object as "outputObject", j.expires_at as "expiresAt",
   coalesce(j.expires_at <= now(), false) as "isExpired"`,
)

export const readReportForKey = reader<ReportedJob>('read-report-for-key', 'j.report')
