import type { Database, Db } from './connect.ts'

export interface KeyOwner {
  accountId: string
  endsAt: Date | null
}

/** Who owns the key with this hash? Whether the key still works is for the caller to judge. */
export async function findKeyOwner(database: Database, hash: Buffer): Promise<KeyOwner | null> {
  const rows = await database.prepared<{ account_id: string; ends_at: Date | null }>(
    'find-key-owner',
    'select account_id, ends_at from api_keys where hash = $1',
    [hash],
  )
  const row = rows[0]
  return row ? { accountId: row.account_id, endsAt: row.ends_at } : null
}

export interface KeyRecord {
  id: string
  accountId: string
  hint: string
  createdAt: Date
  endsAt: Date | null
}

const keyColumns = [
  'id',
  'account_id as accountId',
  'hint',
  'created_at as createdAt',
  'ends_at as endsAt',
] as const

export const insertKey = (db: Db, accountId: string, hash: Buffer, hint: string): Promise<KeyRecord> =>
  db
    .insertInto('api_keys')
    .values({ account_id: accountId, hash, hint })
    .returning(keyColumns)
    .executeTakeFirstOrThrow()

export const listKeys = (db: Db, accountId?: string): Promise<KeyRecord[]> => {
  const query = db.selectFrom('api_keys').select(keyColumns).orderBy('created_at')
  return (accountId ? query.where('account_id', '=', accountId) : query).execute()
}

export const findKey = (db: Db, id: string): Promise<KeyRecord | undefined> =>
  db.selectFrom('api_keys').select(keyColumns).where('id', '=', id).executeTakeFirst()

/** Lets a key end at the given time, never later than it would have ended anyway. */
export const endKey = (db: Db, id: string, at: Date): Promise<KeyRecord | undefined> =>
  db
    .updateTable('api_keys')
    .set((eb) => ({ ends_at: eb.fn<Date>('least', [eb.fn.coalesce('ends_at', eb.val(at)), eb.val(at)]) }))
    .where('id', '=', id)
    .returning(keyColumns)
    .executeTakeFirst()
