import type { Report } from '@kiln/contract'
import { call } from './call.ts'
import type { Clock } from './clock.ts'
import type { Connection } from './options.ts'
import type { JobState } from './wait.ts'

export async function readReport(connection: Connection, clock: Clock, jobId: string): Promise<Report> {
  const path = `/v1/conversions/${encodeURIComponent(jobId)}/report`
  return (await call<Report>(connection, clock, { path })).body
}

/** The report of a job that has ended; null when the service has none. */
export const reportOf = (connection: Connection, clock: Clock, job: JobState): Promise<Report | null> =>
  job.hasReport ? readReport(connection, clock, job.jobId) : Promise.resolve(null)
