import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Db } from './connect.ts'
import { queryOne, queryRow, queryRows } from './query.ts'

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

const keyColumns = sql`
  id, account_id as "accountId", hint, created_at as "createdAt", ends_at as "endsAt", key_state(ends_at) as state`

export const insertKey = (db: Db, accountId: string, hash: Buffer, hint: string) =>
  queryOne<KeyRecord>(db)`
    insert into api_keys (account_id, hash, hint) values (${accountId}, ${hash}, ${hint}) returning ${keyColumns}`

export const listKeys = (db: Db, accountId: string | null = null) =>
  queryRows<KeyRecord>(db)`
    select ${keyColumns} from api_keys
    where not is_internal and (${accountId}::uuid is null or account_id = ${accountId}) order by created_at`

export const findKey = (db: Db, id: string) =>
  queryRow<KeyRecord>(db)`select ${keyColumns} from api_keys where id = ${id} and not is_internal`

/** The hash under which the web app submits and polls for an account. The first call creates it. */
export async function internalKeyOf(db: Db, accountId: string): Promise<Buffer> {
  const row = await queryRow<{ hash: Buffer }>(db)`
    with created as (
      insert into api_keys (account_id, hash, hint, is_internal)
      values (${accountId}, ${randomBytes(32)}, 'web app', true)
      on conflict (account_id) where is_internal do nothing returning hash)
    select hash from created
    union all select hash from api_keys where account_id = ${accountId} and is_internal limit 1`
  // Another call may have created it after this statement began.
  return row?.hash ?? internalKeyOf(db, accountId)
}

/** Sets when a key expires, never later than it would have expired anyway. */
export const endKey = (db: Db, id: string, endsAt: Date) =>
  queryRow<KeyRecord>(db)`
    update api_keys set ends_at = least(ends_at, ${endsAt}) where id = ${id} returning ${keyColumns}`
