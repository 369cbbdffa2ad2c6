import { findPair } from '@kiln/converter/catalog'
import type { Cancel } from '../conversions/cancel.ts'
import type { Retry } from '../conversions/retry.ts'
import type { Database } from '../db/connect.ts'
import { type JobFilter, listActiveJobs, listEndedJobs, readJobDetails } from '../db/reports/job-list.ts'
import { refused } from '../errors.ts'

// Jobs: search, view, cancel, retry.

const pageSize = 50

export interface JobsParts {
  database: Database
  cancel: Cancel
  retry: Retry
}

export function createJobs({ database, cancel, retry }: JobsParts) {
  const db = database.kysely

  return {
    /** The first page lists active jobs above the most recently ended ones. */
    async list(wanted: Omit<JobFilter, 'limit'>) {
      const filter = { ...wanted, limit: pageSize }
      const endedOnly = wanted.status === 'done' || wanted.status === 'failed' || wanted.reason !== null
      const activeOnly = wanted.status !== null && !endedOnly
      const [active, ended] = await Promise.all([
        endedOnly || wanted.before ? [] : listActiveJobs(db, filter),
        activeOnly ? { jobs: [], next: null } : listEndedJobs(db, filter),
      ])
      return { jobs: [...active, ...ended.jobs], next: ended.next }
    },

    async inspect(id: string) {
      const job = await readJobDetails(db, id)
      if (!job) {
        throw refused('not-found', 'There is no job with this id. Records are kept for a limited time.')
      }
      const canCancel = job.status === 'queued' || job.status === 'processing'
      const canRetry = job.status === 'failed' && (await retry.hasInput(id, job.bytes))
      const engine = findPair(job.pair)?.engine ?? null
      return { job, engine, canCancel, canRetry }
    },

    cancel,
    retry: retry.retry,
  }
}
