import type { Console } from '../../../server/src/console/index.ts'
import type { Answer } from '../shared/types.ts'

// The response types of the console's API: the return types of the server's functions, after JSON. The type check fails
// when a page does not follow a change on the server.

export interface SessionInfo {
  pairs: { slug: string }[]
}

export type Overview = Answer<Console['overview']['now']>
export type Lane = Overview['lanes'][number]
export type RunningJob = Overview['running'][number]
export type ServiceProcess = Overview['processes'][number]

export type Charts = Answer<Console['overview']['charts']>
export type ChartPoint = Charts['points'][number]

export type JobPage = Answer<Console['jobs']['list']>
export type JobRow = JobPage['jobs'][number]
export type InspectedJob = Answer<Console['jobs']['inspect']>
export type JobDetails = InspectedJob['job']

export type AccountPage = Answer<Console['accounts']['list']>
export type Account = AccountPage['accounts'][number]
