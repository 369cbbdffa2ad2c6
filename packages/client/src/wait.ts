import type { Job, Report } from '@kiln/contract'
import { call } from './call.ts'
import type { Clock } from './clock.ts'
import type { Connection } from './options.ts'
import { type OnProgress, waiting } from './progress.ts'

// Waits until a job has ended. The service is asked to delay its response (`Prefer: wait`); one that ignores that
// answers immediately, and is polled again a second and a half after the last request. The same delay prevents flooding
// a service that ends its long polls early because it stops. A long poll reports no progress, so callers that want
// progress get shorter ones.

export interface JobState extends Job {
  /** Progress of the conversion, 0 to 1, where the service reports it. */
  progress: number | null
  /** Has the service a report of the job? Read it with `report()`. */
  hasReport: boolean
}

const pollInterval = 1500
const heldSeconds = 20
const heldSecondsWithProgress = 2

export async function readJob(
  connection: Connection,
  clock: Clock,
  jobId: string,
  heldFor = 0,
): Promise<JobState> {
  const { body, headers } = await call<Job>(connection, clock, {
    path: `/v1/conversions/${encodeURIComponent(jobId)}`,
    ...(heldFor > 0 ? { headers: { prefer: `wait=${heldFor}` }, heldFor: heldFor * 1000 } : {}),
  })
  const progress = Number.parseFloat(headers.get('kiln-progress') ?? '')
  const hasReport = /;\s*rel="?describedby\b/i.test(headers.get('link') ?? '')
  return { ...body, progress: progress >= 0 && progress <= 1 ? progress : null, hasReport }
}

const hasEnded = ({ status }: Job): boolean => status === 'done' || status === 'failed'

export async function waitForEnd(
  connection: Connection,
  clock: Clock,
  jobId: string,
  onProgress?: OnProgress,
): Promise<JobState> {
  const longest = onProgress ? heldSecondsWithProgress : heldSeconds
  for (;;) {
    const asked = Date.now()
    const heldFor = Math.max(1, Math.min(longest, Math.ceil(clock.remaining() / 1000)))
    const job = await readJob(connection, clock, jobId, heldFor)
    if (hasEnded(job)) return job
    onProgress?.(waiting(job.status === 'processing' ? 'conversion' : 'queue', jobId, job.progress))
    const pause = pollInterval - (Date.now() - asked)
    if (pause > 0) await clock.sleep(pause)
  }
}

export async function readReport(connection: Connection, clock: Clock, jobId: string): Promise<Report> {
  const path = `/v1/conversions/${encodeURIComponent(jobId)}/report`
  return (await call<Report>(connection, clock, { path })).body
}

/** The report of a job that has ended; null when the service has none. */
export const reportOf = (connection: Connection, clock: Clock, job: JobState): Promise<Report | null> =>
  job.hasReport ? readReport(connection, clock, job.jobId) : Promise.resolve(null)
