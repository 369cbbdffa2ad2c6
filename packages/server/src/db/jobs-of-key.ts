import type { ConversionReport, FailureWord, JobStatus } from '@kiln/contract'
import type { Database } from './connect.ts'

// Jobs as the holders of keys read them: key check and job in one round trip, for one as for many. Null when the key is
// unknown or revoked. The caller checks whether the job belongs to the key's account.

export interface AskedJob {
  keyHash: Buffer
  jobId: string
}

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
  outputBytes: number | null
  expiresAt: Date | null
  isExpired: boolean
  options: Record<string, string | number | boolean | readonly string[]> | null
}

export interface ReportedJob extends JobOfKey {
  report: ConversionReport | null
}

type ReadJobs<Row> = (database: Database, asked: readonly AskedJob[]) => Promise<(Row | null)[]>

/** `columns` are those in addition to the columns of every such query. */
const reader = <Row extends JobOfKey>(name: string, columns: string): ReadJobs<Row> => {
  // Rows are found one by one, by their full key: a plan that was made while the tables were empty would otherwise scan
  // them sequentially.
  const text = `
    select k.account_id as "keyAccountId", j.id, j.account_id as "accountId", j.pair, j.bytes, j.status,
           j.failure_sentence as "failureSentence", ${columns}
    from unnest($1::bytea[], $2::uuid[]) with ordinality as asked (key_hash, job_id, place)
    left join lateral (select account_id from live_keys where hash = asked.key_hash limit 1) k on true
    left join lateral (select * from jobs where id = asked.job_id limit 1) j on true
    order by asked.place`
  return async (database, asked) => {
    const values = [asked.map(({ keyHash }) => keyHash), asked.map(({ jobId }) => jobId)]
    const rows = await database.prepared<Row>(name, text, values)
    return rows.map((row) => (row.keyAccountId === null ? null : row))
  }
}

export const readJobsForKeys = reader<PolledJob>(
  'read-jobs-for-keys',
  `j.uploaded_at is not null as "isUploaded", j.failure_word as "failureWord", j.progress,
   j.output_object as "outputObject", j.output_bytes as "outputBytes", j.expires_at as "expiresAt",
   coalesce(j.expires_at <= now(), false) as "isExpired", j.options`,
)

export const readReportsForKeys = reader<ReportedJob>('read-reports-for-keys', 'j.report')
