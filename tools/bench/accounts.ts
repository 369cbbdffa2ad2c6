import { onDatabase } from '@kiln/test-support/on-database.ts'
import { hashKey, hintOfKey, makeKey } from '../../packages/server/src/accounts/api-key.ts'

export interface BenchAccount {
  id: string
  key: string
}

/** Accounts without free conversions and with unlimited credits: the most expensive kind of submit. */
export function createAccounts(connectionString: string, count: number): Promise<BenchAccount[]> {
  return onDatabase(connectionString, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into accounts (name, credits) select 'bench ' || n, 1000000000 from generate_series(1, $1) n returning id`,
      [count],
    )
    await client.query(
      `insert into ledger (account_id, kind, credits, reason) select id, 'grant', credits, 'bench' from accounts`,
    )
    await client.query(
      `insert into usage_windows (account_id, window_start, free_used)
       select id, date_trunc('month', now() at time zone 'utc')::date, 1000000 from accounts`,
    )
    const accounts = rows.map(({ id }) => ({ id, key: makeKey() }))
    await client.query(
      `insert into api_keys (account_id, hash, hint) select * from unnest($1::uuid[], $2::bytea[], $3::text[])`,
      [
        accounts.map(({ id }) => id),
        accounts.map(({ key }) => hashKey(key)),
        accounts.map(({ key }) => hintOfKey(key)),
      ],
    )
    return accounts
  })
}
