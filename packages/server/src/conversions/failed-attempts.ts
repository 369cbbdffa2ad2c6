import { statfs } from 'node:fs/promises'
import type { Database } from '../db/connect.ts'
import { countHandBack, recordFailedAttempt, type StartedJob } from '../db/jobs.ts'
import type { Work } from '../queue/queue.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { EndJob } from './end-job.ts'

// Records attempts without an outcome, and fails jobs that had too many of them (state-machine.md).

export interface FailedAttempts {
  /** Records an attempt that broke down. Returns how many attempts of the job have. */
  note(work: Work, job: StartedJob, reason: string): Promise<number>
  /** Fails a job of which three attempts broke down. */
  giveUp(work: Work): Promise<void>
  /** Fails a job that the queue gave out ten times, each time to a worker that was lost. */
  giveUpLost(work: Work): Promise<void>
  /** Counts that the job filled the disk and was returned to the queue. */
  countHandBack(work: Work): Promise<void>
  /** Fails a job that has filled the disk too often. */
  failTooBig(work: Work): Promise<void>
  /** Is there free space on the disk, now that the files of the attempt are removed? */
  diskHasRoom(): Promise<boolean>
}

export const maxFailedAttempts = 3
const minFreeShare = 0.05

export interface FailedAttemptsParts {
  database: Database
  endJob: EndJob
  metrics: Metrics
  dataDir: string
}

export function createFailedAttempts({
  database,
  endJob,
  metrics,
  dataDir,
}: FailedAttemptsParts): FailedAttempts {
  const db = database.kysely
  const end = async (work: Work, sentence: string) => {
    await endJob.fail(work.jobId, { word: 'internal', sentence }, work)
    metrics.jobAbandoned(work.lane)
  }
  return {
    async note(work, job, reason) {
      metrics.attemptFailed(work.lane)
      return recordFailedAttempt(db, job.id, job.attempt, reason)
    },
    giveUp: (work) =>
      end(
        work,
        'The conversion broke down three times and was given up. It was not charged; please report the file if it happens again.',
      ),
    giveUpLost: (work) =>
      end(
        work,
        'The conversion was interrupted ten times and was given up. It was not charged; please submit the file again.',
      ),
    countHandBack: (work) => countHandBack(db, work.jobId),
    async failTooBig(work) {
      const sentence =
        'The conversion needs more room on the disk than there is. Convert a smaller or simpler part of the file.'
      await endJob.fail(work.jobId, { word: 'too-complex', sentence })
    },
    async diskHasRoom() {
      const { bavail, blocks } = await statfs(dataDir)
      return bavail > blocks * minFreeShare
    },
  }
}
