import type { OptionField } from '../../../converter/src/catalog/options/form-fields.ts'
import type { WebApp } from '../../../server/src/web/index.ts'

// The response types of the APIs: the return types of the server's functions, after JSON. The type check fails when a
// page does not follow a change on the server.

export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Name in keyof T]: Wire<T[Name]> }
      : T
export type Answer<Call extends (...input: never[]) => Promise<unknown>> = Wire<Awaited<ReturnType<Call>>>

export type AccountDetails = Answer<WebApp['account']['show']>
export type Key = AccountDetails['keys'][number]
export type NewKey = Answer<WebApp['account']['createKey']>
export type LedgerPage = Answer<WebApp['account']['ledger']>

export type AccountJobs = Answer<WebApp['account']['jobs']>
export type AccountJob = AccountJobs['jobs'][number]

export type WebhookPage = Answer<WebApp['account']['webhook']>
export type Delivery = WebhookPage['deliveries'][number]
export type SetWebhook = Answer<WebApp['account']['setWebhook']>
export type RotatedWebhook = Answer<WebApp['account']['rotateWebhook']>

export interface StylePage {
  style: Answer<WebApp['styles']['find']>
}

export interface OptionFields {
  fields: OptionField[]
}
export type { OptionField }
