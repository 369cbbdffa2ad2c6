import { statfs } from 'node:fs/promises'
import type { Database } from '../db/connect.ts'
import { countHandBack, recordFailedAttempt, type StartedJob } from '../db/jobs.ts'
import { isUnavailable } from '../errors.ts'
import type { Work } from '../queue/queue.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { EndJob } from './end-job.ts'

// Records attempts without an outcome, and fails jobs that had too many of them (state-machine.md).

export const maxFailedAttempts = 3
const minFreeShare = 0.05

export interface FailedAttemptsParts {
  database: Database
  endJob: EndJob
  metrics: Metrics
  dataDir: string
}

export function createFailedAttempts({ database, endJob, metrics, dataDir }: FailedAttemptsParts) {
  const db = database.kysely
  const end = async (work: Work, sentence: string) => {
    await endJob.fail(work.jobId, { word: 'internal', sentence }, work)
    metrics.jobAbandoned(work.lane)
  }
  return {
    /** Records an attempt that broke down. Returns how many attempts of the job have. */
    async note(work: Work, job: StartedJob, reason: string): Promise<number> {
      metrics.attemptFailed(work.lane)
      return recordFailedAttempt(db, job.id, job.attempt, reason)
    },
    /** Fails a job of which three attempts broke down. */
    giveUp: (work: Work) =>
      end(
        work,
        'The conversion broke down three times and was given up. It was not charged; please report the file if it happens again.',
      ),
    /** Fails a job that the queue gave out ten times, each time to a worker that was lost. */
    giveUpLost: (work: Work) =>
      end(
        work,
        'The conversion was interrupted ten times and was given up. It was not charged; please submit the file again.',
      ),
    /** Counts that the job filled the disk and was returned to the queue. */
    countHandBack: (work: Work) => countHandBack(db, work.jobId),
    /** Fails a job that has filled the disk too often. */
    async failTooBig(work: Work): Promise<void> {
      const sentence =
        'The conversion needs more room on the disk than there is. Convert a smaller or simpler part of the file.'
      await endJob.fail(work.jobId, { word: 'too-complex', sentence })
    },
    /** Is there free space on the disk, now that the files of the attempt are removed? */
    async diskHasRoom(): Promise<boolean> {
      const { bavail, blocks } = await statfs(dataDir)
      return bavail > blocks * minFreeShare
    },
  }
}

export type FailedAttempts = ReturnType<typeof createFailedAttempts>

// An unavailable storage or database, or a full disk, is not the job's fault (state-machine.md). The job returns to the
// queue with a delay, and the worker that could not run it takes no work for slightly longer, so that another worker
// may take it. When the disk was full during a job and has free space once its files are removed, that job filled it.
// It is retried, because another job may have contributed, but only a limited number of times, and other jobs do not
// wait for it.

export const handedBackForSeconds = 2
export const pauseMilliseconds = 3000
export const maxHandBacks = 3

const noRoom = new Set(['ENOSPC', 'EDQUOT'])
const noFiles = new Set(['EROFS', 'EMFILE', 'ENFILE'])

const codeOf = (error: unknown) => ((error ?? {}) as NodeJS.ErrnoException).code ?? ''

export const isFullDisk = (error: unknown): boolean => noRoom.has(codeOf(error))

export const isOutage = (error: unknown): boolean =>
  isUnavailable(error) || isFullDisk(error) || noFiles.has(codeOf(error))
