import type { FailureWord } from '@kiln/contract'
import { sql } from 'kysely'
import type { Database, Db, Trx } from './connect.ts'
import { changesOneRow, queryRow, queryRows, run } from './query.ts'
import { retryOnDeadlock } from './retries.ts'

// The addresses that are notified of the ends of jobs. One webhook per account.

export interface WebhookRecord {
  accountId: string
  url: string
  createdAt: Date
  /** Until then events are also signed with the previous secret. */
  oldSecretEndsAt: Date | null
  /** Events that have not been delivered yet. */
  waiting: number
}

const columns = sql`
  w.account_id as "accountId", w.url, w.created_at as "createdAt",
  case when w.old_secret_ends_at > now() then w.old_secret_ends_at end as "oldSecretEndsAt",
  (select count(*)::integer from webhook_deliveries d
   where d.account_id = w.account_id and d.next_attempt_at is not null) as waiting`

export const listWebhooks = (db: Db, accountId: string | null = null) =>
  queryRows<WebhookRecord>(db)`
    select ${columns} from webhooks w
    where ${accountId}::uuid is null or w.account_id = ${accountId}::uuid order by w.created_at`

/** Creates a webhook, or changes its address and keeps its secret. True when it was created. */
export async function putWebhook(
  db: Db,
  { accountId, url, secret }: { accountId: string; url: string; secret: string },
): Promise<boolean> {
  const row = await queryRow<{ isNew: boolean }>(db)`
    insert into webhooks as w (account_id, url, secret) values (${accountId}, ${url}, ${secret})
    on conflict (account_id) do update set url = excluded.url
    returning w.secret = ${secret} as "isNew"`
  return row?.isNew === true
}

/** The previous secret remains valid for a while, in addition to the new one. False when there is no webhook. */
export const rotateSecret = (db: Db, accountId: string, secret: string, overlapSeconds: number) =>
  changesOneRow(db)`
    update webhooks set old_secret = secret, secret = ${secret},
      old_secret_ends_at = now() + make_interval(secs => ${overlapSeconds})
    where account_id = ${accountId}`

/**
 * Deletes its deliveries too. The sweeper may be deleting some of them in another order at this moment. False when
 * there is no webhook.
 */
export const deleteWebhook = (db: Db, accountId: string) =>
  retryOnDeadlock(() => changesOneRow(db)`delete from webhooks where account_id = ${accountId}`)

// Events for webhooks, from the end of the job to the response of the receiver.

/** The payload of a notification is the account that has an event. */
export const webhookChannel = 'kiln_webhooks'

/** Writes the event for the end of a job, in the transaction that ends it. */
export const writeDelivery = (trx: Trx, jobId: string) => run(trx)`select write_delivery(${jobId})`

export interface DueDelivery {
  id: string
  attempts: number
  url: string
  /** Encrypted. */
  secret: string
  /** Encrypted; null when it has expired. */
  oldSecret: string | null
  jobId: string
  pair: string
  status: 'done' | 'failed'
  failureWord: FailureWord | null
  failureSentence: string | null
  finishedAt: Date
}

// Longer than a request takes. After that, another process takes over the deliveries of a process that died.
const claimSeconds = 30

export async function findDueAccounts({ kysely }: Database): Promise<string[]> {
  const rows = await queryRows<{ accountId: string }>(kysely)`
    select w.account_id as "accountId" from webhooks w
    where exists (select from webhook_deliveries d
                  where d.account_id = w.account_id and d.next_attempt_at <= now())`
  return rows.map(({ accountId }) => accountId)
}

/** Claims the account's longest-waiting delivery that no other process has claimed. Counts as an attempt. */
export const claimDelivery = ({ kysely }: Database, accountId: string) =>
  queryRow<DueDelivery>(kysely)`
    update webhook_deliveries d
     set attempts = d.attempts + 1, next_attempt_at = now() + make_interval(secs => ${claimSeconds})
     from (select id from webhook_deliveries
           where account_id = ${accountId} and next_attempt_at <= now()
           order by next_attempt_at limit 1 for update skip locked) due, webhooks w, jobs j
     where d.id = due.id and w.account_id = d.account_id and j.id = d.job_id
     returning d.id, d.attempts, w.url, w.secret,
       case when w.old_secret_ends_at > now() then w.old_secret end as "oldSecret",
       j.id as "jobId", j.pair, j.status, j.failure_word as "failureWord",
       j.failure_sentence as "failureSentence", j.finished_at as "finishedAt"`

export interface RecordedAnswer {
  isTaken: boolean
  status: number | null
  text: string
  milliseconds: number
}

/**
 * Records the result of an attempt. `pause` is in seconds; null after the last one. Another attempt may have begun
 * meanwhile.
 */
export async function recordAnswer(
  { kysely }: Database,
  { id, attempts }: Pick<DueDelivery, 'id' | 'attempts'>,
  answer: RecordedAnswer,
  pause: number | null,
): Promise<void> {
  const { isTaken, status, text, milliseconds } = answer
  await run(kysely)`
    update webhook_deliveries set answered_at = now(), answer_status = ${status}, answer_text = ${text},
      answer_ms = ${milliseconds}, delivered_at = case when ${isTaken} then now() else delivered_at end,
      next_attempt_at = now() + make_interval(secs => ${pause}::double precision)
    where id = ${id} and attempts = ${attempts}`
}

export interface DeliveryRecord {
  id: string
  jobId: string
  type: string
  state: 'delivered' | 'waiting' | 'given-up'
  attempts: number
  createdAt: Date
  nextAttemptAt: Date | null
  deliveredAt: Date | null
  answeredAt: Date | null
  answerStatus: number | null
  answerText: string | null
  answerMilliseconds: number | null
}

/** The latest first; `before` is the id of the last one seen. */
export const listDeliveries = (db: Db, accountId: string, before: string | null, limit: number) =>
  queryRows<DeliveryRecord>(db)`
    select d.id, d.job_id as "jobId", 'conversion.' || j.status as type,
      case when d.next_attempt_at is not null then 'waiting' when d.delivered_at is not null then 'delivered'
           else 'given-up' end as state,
      d.attempts, d.created_at as "createdAt", d.next_attempt_at as "nextAttemptAt",
      d.delivered_at as "deliveredAt", d.answered_at as "answeredAt", d.answer_status as "answerStatus",
      d.answer_text as "answerText", d.answer_ms as "answerMilliseconds"
    from webhook_deliveries d join jobs j on j.id = d.job_id
    where d.account_id = ${accountId} and (${before}::uuid is null or (d.created_at, d.id) <
      (select b.created_at, b.id from webhook_deliveries b where b.id = ${before}::uuid))
    order by d.created_at desc, d.id desc limit ${limit}`

/** Makes a delivery due again, now, with all its attempts. Returns its account; null when there is no such delivery. */
export async function sendDeliveryAgain(
  db: Db,
  id: string,
  ofAccount: string | null,
): Promise<string | null> {
  const row = await queryRow<{ accountId: string }>(db)`
    update webhook_deliveries set next_attempt_at = now(), attempts = 0, delivered_at = null
    where id = ${id} and (${ofAccount}::uuid is null or account_id = ${ofAccount}::uuid)
    returning account_id as "accountId"`
  return row?.accountId ?? null
}
