import { sql } from 'kysely'
import type { Database, Db } from './connect.ts'
import { changesOneRow, queryOne, queryRow, queryRows, run } from './query.ts'

export interface AccountRecord {
  id: string
  name: string
  credits: number
  createdAt: Date
  /** The shares and limits of the parent apply to this account too. */
  parentId: string | null
}

const accountColumns = sql`id, name, credits, created_at as "createdAt", parent_id as "parentId"`

export const insertAccount = (db: Db, name: string) =>
  queryOne<AccountRecord>(db)`insert into accounts (name) values (${name}) returning ${accountColumns}`

export const listAccounts = (db: Db) =>
  queryRows<AccountRecord>(db)`select ${accountColumns} from accounts order by created_at`

export const findAccount = (db: Db, id: string) =>
  queryRow<AccountRecord>(db)`select ${accountColumns} from accounts where id = ${id}`

/** False when the parent has a parent, or the account has child accounts: there is only one level. */
export const setParent = (db: Db, id: string, parentId: string | null) =>
  changesOneRow(db)`
    update accounts set parent_id = ${parentId}::uuid where id = ${id} and (${parentId}::uuid is null or (
      id <> ${parentId} and not exists (select 1 from accounts a where a.parent_id = accounts.id)
      and not exists (select 1 from accounts p where p.id = ${parentId} and p.parent_id is not null)))`

export const anyAccount = async (db: Db): Promise<boolean> =>
  (await queryRow(db)`select from accounts limit 1`) !== null

/** Maximum balance of an account: well below the limit of the column, so that refunds always fit. */
export const maxCredits = 1_000_000_000

/**
 * Adds an entry to the ledger and to the running balance, in one transaction. Null when there is no such account,
 * or when the balance would become negative or exceed the maximum.
 */
export const grantCredits = (db: Db, accountId: string, amount: number, reason: string) =>
  db.transaction().execute(async (trx) => {
    const account = await queryRow<AccountRecord>(trx)`
      update accounts set credits = credits + ${amount}
      where id = ${accountId} and credits::bigint + ${amount} between 0 and ${maxCredits} returning ${accountColumns}`
    if (account)
      await run(trx)`
        insert into ledger (account_id, kind, credits, reason)
        values (${accountId}, 'grant', ${amount}, ${reason})`
    return account
  })

export interface LedgerEntry {
  id: number
  kind: 'grant' | 'charge' | 'refund'
  credits: number
  free: number
  jobId: string | null
  reason: string
  createdAt: Date
}

/** The latest entries first; `before` is the id of the last one seen. Without a limit all entries. */
export const listLedger = (
  db: Db,
  accountId: string,
  before: number | null = null,
  limit: number | null = null,
) =>
  queryRows<LedgerEntry>(db)`
    select id, kind, credits, free, job_id as "jobId", reason, created_at as "createdAt" from ledger
    where account_id = ${accountId} and (${before}::bigint is null or id < ${before})
    order by id desc limit ${limit}`

interface LedgerDrift {
  accountId: string
  what: string
  held: number
  ledger: number
}

/** Accounts whose running sums differ from the sums of their ledger entries. Empty when they are consistent. */
export const findLedgerDrift = (db: Db) =>
  queryRows<LedgerDrift>(db)`
    select a.id as "accountId", 'credits' as what, a.credits as held, coalesce(sum(l.credits), 0)::int as ledger
    from accounts a left join ledger l on l.account_id = a.id
    group by a.id having a.credits <> coalesce(sum(l.credits), 0)
    union all
    select w.account_id, 'free conversions used in ' || w.window_start, w.free_used, coalesce(-sum(l.free), 0)::int
    from usage_windows w
    left join ledger l on l.account_id = w.account_id and l.window_start = w.window_start
    group by w.account_id, w.window_start, w.free_used having w.free_used <> coalesce(-sum(l.free), 0)`

export interface Usage {
  credits: number
  windowStart: Date
  jobs: number
  bytes: number
  freeUsed: number
}

/** Checks the key and reads the usage in one round trip. Null when the key is unknown or revoked. */
export async function readUsage(database: Database, keyHash: Buffer): Promise<Usage | null> {
  const rows = await database.prepared<Usage>(
    'read-usage',
    `select a.credits, m.start as "windowStart", coalesce(w.jobs, 0) as jobs, coalesce(w.bytes, 0) as bytes,
            coalesce(w.free_used, 0) as "freeUsed"
     from live_keys k
     join accounts a on a.id = k.account_id
     cross join (select date_trunc('month', now(), 'UTC') as start) m
     left join usage_windows w
       on w.account_id = k.account_id and w.window_start = (m.start at time zone 'utc')::date
     where k.hash = $1`,
    [keyHash],
  )
  return rows[0] ?? null
}

export interface AccountUsage extends AccountRecord {
  /** In the current calendar month. */
  jobs: number
  bytes: number
  freeUsed: number
  keys: number
}

export interface AccountQuery {
  /** Part of a name, or the beginning of an id. */
  search: string
  id: string | null
  limit: number
  offset: number
}

/** Accounts with their use this month, the busiest first. */
export async function listAccountUsage(
  db: Db,
  { search, id, limit, offset }: AccountQuery,
): Promise<AccountUsage[]> {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return queryRows<AccountUsage>(db)`
    select a.id, a.name, a.credits, a.created_at as "createdAt", coalesce(w.jobs, 0) as jobs,
           coalesce(w.bytes, 0) as bytes, coalesce(w.free_used, 0) as "freeUsed",
           (select count(*)::integer from api_keys k
            where k.account_id = a.id and not k.is_internal and key_state(k.ends_at) <> 'ended') as keys
    from accounts a
    left join usage_windows w on w.account_id = a.id
      and w.window_start = date_trunc('month', now() at time zone 'utc')::date
    where (${id}::uuid is null or a.id = ${id}::uuid)
      and (${search} = '' or a.name ilike ${pattern} or a.id::text like ${pattern})
    order by coalesce(w.jobs, 0) desc, a.created_at desc, a.id limit ${limit} offset ${offset}`
}
