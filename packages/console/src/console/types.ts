import type { Console } from '../../../server/src/console/index.ts'

// What the console's interface answers with: what the server's functions return, after JSON. A change there
// that a page has not followed does not pass the type check.

type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Name in keyof T]: Wire<T[Name]> }
      : T
type Answer<Call extends (...input: never[]) => Promise<unknown>> = Wire<Awaited<ReturnType<Call>>>

/** The pairs come with the session. */
export interface Pair {
  slug: string
  label: string
  from: string
  to: string
  engine: string
  lane: string
  maxBytes: number
  credits: number
}

export interface SessionInfo {
  endsAt: string
  base: string
  pairs: Pair[]
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
export type AccountDetails = Answer<Console['accounts']['show']>
export type Key = AccountDetails['keys'][number]
export type NewKey = Answer<Console['accounts']['createKey']>
export type LedgerPage = Answer<Console['accounts']['ledger']>

export type WebhookPage = Answer<Console['webhooks']['show']>
export type Delivery = WebhookPage['deliveries'][number]
export type SetWebhook = Answer<Console['webhooks']['set']>
export type RotatedWebhook = Answer<Console['webhooks']['rotate']>

export interface StylePage {
  style: Answer<Console['styles']['find']>
}

export type TriedJob = Answer<Console['tryIt']['look']>
