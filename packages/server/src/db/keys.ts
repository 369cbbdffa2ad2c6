import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Db } from './connect.ts'

/** The account of a valid key, and its parent or itself; null for a key that is unknown or revoked. */
export async function findKeyAccount(database: Database, hash: Buffer) {
  const rows = await database.prepared<{ accountId: string; familyId: string }>(
    'find-key-account',
    `select a.id as "accountId", coalesce(a.parent_id, a.id) as "familyId"
     from live_keys k join accounts a on a.id = k.account_id where k.hash = $1`,
    [hash],
  )
  return rows[0] ?? null
}

export interface KeyRecord {
  id: string
  accountId: string
  hint: string
  createdAt: Date
  endsAt: Date | null
  state: 'active' | 'ending' | 'ended'
}

const keyColumns = [
  'id',
  'account_id as accountId',
  'hint',
  'created_at as createdAt',
  'ends_at as endsAt',
  sql<KeyRecord['state']>`key_state(ends_at)`.as('state'),
] as const

export const insertKey = (db: Db, accountId: string, hash: Buffer, hint: string): Promise<KeyRecord> =>
  db
    .insertInto('api_keys')
    .values({ account_id: accountId, hash, hint })
    .returning(keyColumns)
    .executeTakeFirstOrThrow()

export const listKeys = (db: Db, accountId?: string): Promise<KeyRecord[]> => {
  const query = db
    .selectFrom('api_keys')
    .select(keyColumns)
    .where('is_internal', '=', false)
    .orderBy('created_at')
  return (accountId ? query.where('account_id', '=', accountId) : query).execute()
}

export const findKey = (db: Db, id: string): Promise<KeyRecord | undefined> =>
  db
    .selectFrom('api_keys')
    .select(keyColumns)
    .where('id', '=', id)
    .where('is_internal', '=', false)
    .executeTakeFirst()

/** The hash under which the web app submits and polls for an account. The first call creates it. */
export async function internalKeyOf(db: Db, accountId: string): Promise<Buffer> {
  const { rows } = await sql<{ hash: Buffer }>`
    with created as (
      insert into api_keys (account_id, hash, hint, is_internal)
      values (${accountId}, ${randomBytes(32)}, 'web app', true)
      on conflict (account_id) where is_internal do nothing returning hash)
    select hash from created
    union all select hash from api_keys where account_id = ${accountId} and is_internal limit 1`.execute(db)
  // Another call may have created it after this statement began.
  return rows[0]?.hash ?? internalKeyOf(db, accountId)
}

/** Sets when a key expires, never later than it would have expired anyway. */
export const endKey = (db: Db, id: string, at: Date): Promise<KeyRecord | undefined> =>
  db
    .updateTable('api_keys')
    .set((eb) => ({ ends_at: eb.fn<Date>('least', [eb.fn.coalesce('ends_at', eb.val(at)), eb.val(at)]) }))
    .where('id', '=', id)
    .returning(keyColumns)
    .executeTakeFirst()
