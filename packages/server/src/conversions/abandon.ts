import type { Work } from '../queue/queue.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { EndJob } from './end-job.ts'

/** Ends a job whose three attempts all broke down. */
export const createAbandon =
  ({ endJob, metrics }: { endJob: EndJob; metrics: Metrics }) =>
  async (work: Work): Promise<void> => {
    const failure = {
      word: 'internal',
      sentence:
        'The conversion broke down three times and was given up. It was not charged; please report the file if it happens again.',
    } as const
    await endJob.fail(work.jobId, failure, work)
    metrics.jobAbandoned(work.lane)
  }
