import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { changesOneRow, queryRow, queryRows } from './query.ts'
import { retryOnDeadlock } from './retry-on-deadlock.ts'

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
