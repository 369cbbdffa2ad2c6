import {
  type ConversionReport,
  errorText,
  type FailureWord,
  type Job,
  type Report,
  type UsageSnapshot,
} from '@kiln/contract'
import { findPair, outputFormat } from '@kiln/converter/catalog'
import { readUsage } from '../db/accounts.ts'
import { batchCalls } from '../db/batching.ts'
import type { Database } from '../db/connect.ts'
import {
  type AskedJob,
  type PolledJob,
  type ReportedJob,
  readJobsForKeys,
  readReportsForKeys,
} from '../db/jobs-of-key.ts'
import { isUnavailable, refused } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'
import { isUuid } from '../uuid.ts'
import type { AwaitedUpload, NoticeUpload } from './notice-upload.ts'

// Step 7: the owner reads the job. Key, owner and job are read in one round trip.

export interface ReadParts {
  database: Database
  storage: Storage
  freeJobsPerMonth: number
  noticeUpload: NoticeUpload
}

export interface JobView {
  job: Job
  /** Between 0 and 1 while a worker reports progress. */
  progress: number | null
  /** Extension of the output; it differs from the pair's target when the output is an archive of several files. */
  extension: string
}

/** For a pair that only another version of the service offers. */
const unknownFormat = { extension: 'bin', contentType: 'application/octet-stream' }

export interface FinishedJob {
  failure: { word: FailureWord; sentence: string } | null
  /** Name of the output in the storage. */
  object: string
  bytes: number
}

export function createRead({ database, storage, freeJobsPerMonth, noticeUpload }: ReadParts) {
  const readJob = batchCalls((asked: AskedJob[]) => readJobsForKeys(database, asked))

  const formatOf = (row: PolledJob) => {
    const pair = findPair(row.pair)
    return pair ? outputFormat(pair, row.options ?? {}) : unknownFormat
  }
  const downloadUrl = async (row: PolledJob, baseName: string): Promise<string | null> => {
    if (row.status !== 'done' || row.isExpired || !row.outputObject || !row.expiresAt) return null
    const format = formatOf(row)
    return storage.downloadUrl({
      object: row.outputObject,
      fileName: `${baseName}.${format.extension}`,
      contentType: format.contentType,
      expiresAt: row.expiresAt,
    })
  }

  // Where the storage does not report uploads, the owner's poll checks for the object.
  const mayHaveUpload = (row: PolledJob) =>
    !storage.tellsOfUploads &&
    row.status === 'queued' &&
    !row.isUploaded &&
    row.accountId === row.keyAccountId

  // An unavailable storage must not prevent the owner from reading the job.
  const hasCome = (awaited: AwaitedUpload) =>
    noticeUpload(awaited).catch((error: unknown) => {
      if (isUnavailable(error)) return false
      throw error
    })

  return {
    /** Null when the key is unknown or revoked. `baseName` is the name of the download; the default is the job's id. */
    async job(keyHash: Buffer, jobId: string, baseName?: string): Promise<JobView | null> {
      const asked = askedJob(keyHash, jobId)
      let row = await readJob(asked)
      if (row && mayHaveUpload(row) && (await hasCome({ jobId, bytes: row.bytes })))
        row = await readJob(asked)
      if (!row) return null
      const id = ownId(row)
      return {
        progress: row.status === 'processing' ? row.progress : null,
        extension: formatOf(row).extension,
        job: {
          jobId: id,
          status: row.status,
          downloadUrl: await downloadUrl(row, baseName ?? id),
          error: errorOf(row),
          expiresAt: row.expiresAt?.toISOString() ?? null,
        },
      }
    },

    /** The outcome of an ended job, for callers within this process; null while it waits or runs. */
    async finished(keyHash: Buffer, jobId: string): Promise<FinishedJob | 'unknown-key' | null> {
      const row = await readJob(askedJob(keyHash, jobId))
      if (!row) return 'unknown-key'
      ownId(row)
      if (row.status === 'queued' || row.status === 'processing') return null
      const { failureWord: word, failureSentence: sentence, outputObject: object, outputBytes } = row
      const isLost = row.status === 'done' && (row.isExpired || object === null)
      const failure =
        word !== null || isLost
          ? { word: word ?? 'internal', sentence: sentence ?? 'The output was lost. Convert the file again.' }
          : null
      return { failure, object: object ?? '', bytes: outputBytes ?? 0 }
    },

    /** Null when the key is unknown or revoked. */
    async report(keyHash: Buffer, jobId: string): Promise<Report | null> {
      const [row] = await readReportsForKeys(database, [askedJob(keyHash, jobId)])
      return row ? reportOf(row) : null
    },

    async usage(keyHash: Buffer): Promise<UsageSnapshot | null> {
      const row = await readUsage(database, keyHash)
      if (!row) return null
      return {
        freeTier: {
          jobsPerMonth: freeJobsPerMonth,
          jobsRemaining: Math.max(0, freeJobsPerMonth - row.freeUsed),
        },
        creditsBalance: row.credits,
        currentWindow: {
          windowStart: row.windowStart.toISOString(),
          account: { jobs: row.jobs, bytes: row.bytes },
        },
      }
    },
  }
}

// A report is complete or absent: clients would read a partial report too early.
function reportOf(row: ReportedJob): Report {
  const { status, pair } = row
  const jobId = ownId(row)
  if (status === 'queued' || status === 'processing') {
    throw refused(
      'not-found',
      `The job is still ${status}, and has no report yet. It is there as soon as the job has ended.`,
    )
  }
  const report = row.report ?? withoutConversion(row)
  // Reports of earlier versions have no encoding.
  return { jobId, status, pair, ...report, encoding: report.encoding ?? null }
}

const unknown = { bytes: null, pages: null, words: null, pictures: null, seconds: null }

/** The report of a job that ended without a conversion: cancelled, never uploaded, or given up. */
const withoutConversion = ({ bytes, failureSentence }: ReportedJob): ConversionReport => ({
  engine: null,
  seconds: null,
  input: { ...unknown, bytes },
  output: unknown,
  encoding: null,
  recognized: null,
  fonts: [],
  leftOut: [],
  streams: [],
  warnings: failureSentence === null ? [] : [failureSentence],
  more: { fonts: 0, leftOut: 0, streams: 0, warnings: 0 },
})

// A done job has an error too when its output was lost.
const errorOf = ({ status, failureWord, failureSentence }: PolledJob): string | null =>
  failureWord !== null && (status === 'failed' || status === 'done')
    ? errorText(failureWord, failureSentence)
    : null

export type Read = ReturnType<typeof createRead>

const noJob = '00000000-0000-0000-0000-000000000000'

/** A job id that is not a UUID matches no job; the query still has to check the key. */
export const askedJob = (keyHash: Buffer, jobId: string): AskedJob => ({
  keyHash,
  jobId: isUuid(jobId) ? jobId : noJob,
})

/** The id of a job that belongs to the key's account. */
export function ownId(row: Pick<PolledJob, 'id' | 'accountId' | 'keyAccountId'>): string {
  if (row.id === null) throw refused('not-found', 'There is no job with this id.')
  if (row.accountId !== row.keyAccountId) throw refused('forbidden', 'This job belongs to another account.')
  return row.id
}
