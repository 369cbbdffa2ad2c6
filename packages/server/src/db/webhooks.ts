import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { retryOnDeadlock } from './retry-on-deadlock.ts'

// The addresses that are notified of the ends of jobs. One webhook per account.

export interface WebhookRecord {
  accountId: string
  url: string
  createdAt: Date
  /** Until when events are signed with the secret before as well. */
  oldSecretEndsAt: Date | null
  /** Events that are still to be delivered. */
  waiting: number
}

const columns = sql`
  w.account_id as "accountId", w.url, w.created_at as "createdAt",
  case when w.old_secret_ends_at > now() then w.old_secret_ends_at end as "oldSecretEndsAt",
  (select count(*)::integer from webhook_deliveries d
   where d.account_id = w.account_id and d.next_attempt_at is not null) as waiting`

export async function listWebhooks(db: Db, accountId: string | null = null): Promise<WebhookRecord[]> {
  const { rows } = await sql<WebhookRecord>`
    select ${columns} from webhooks w
    where ${accountId}::uuid is null or w.account_id = ${accountId}::uuid order by w.created_at`.execute(db)
  return rows
}

/** Makes one, or changes its address and leaves its secret alone. True when it was made. */
export async function putWebhook(
  db: Db,
  { accountId, url, secret }: { accountId: string; url: string; secret: string },
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into webhooks as w (account_id, url, secret) values (${accountId}, ${url}, ${secret})
    on conflict (account_id) do update set url = excluded.url
    returning w.secret = ${secret} as "isNew"`.execute(db)
  return rows[0]?.isNew === true
}

/** The secret until now goes on signing for a while, beside the new one. False when there is no webhook. */
export async function rotateSecret(
  db: Db,
  accountId: string,
  secret: string,
  overlapSeconds: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhooks set old_secret = secret, secret = ${secret},
      old_secret_ends_at = now() + make_interval(secs => ${overlapSeconds})
    where account_id = ${accountId}`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Its deliveries go with it, in any order; those of old jobs may be going at this moment, in another. False when there
 * is none.
 */
export async function deleteWebhook(db: Db, accountId: string): Promise<boolean> {
  const { numAffectedRows } = await retryOnDeadlock(() =>
    sql`delete from webhooks where account_id = ${accountId}`.execute(db),
  )
  return numAffectedRows === 1n
}
