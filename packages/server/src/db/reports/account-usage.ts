import type { AccountRecord } from '../accounts.ts'
import type { Db } from '../connect.ts'
import { queryRows } from '../query.ts'

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
