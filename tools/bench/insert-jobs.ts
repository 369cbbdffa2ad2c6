import { onDatabase } from '@kiln/test-support/on-database.ts'
import type { BenchAccount } from './accounts.ts'

/** Half of them are queued, half are done. */
export function insertJobs(
  databaseUrl: string,
  accounts: readonly BenchAccount[],
  count: number,
): Promise<{ id: string; key: string }[]> {
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; account: number }>(
      `with made as (
         insert into jobs (account_id, pair, lane, bytes, upload_expires_at, status, outcome, output_object,
                           output_bytes, finished_at, expires_at)
         select ($1::uuid[])[1 + n % $2::int], 'md-to-html', 'document', 1000, now() + interval '1 hour',
                case when n % 2 = 0 then 'queued' else 'done' end,
                case when n % 2 = 1 then 'done' end,
                case when n % 2 = 1 then 'out/' || gen_random_uuid() || '.1' end,
                case when n % 2 = 1 then 2000 end,
                case when n % 2 = 1 then now() end,
                case when n % 2 = 1 then now() + interval '1 hour' end
         from generate_series(1, $3::int) n
         returning id, account_id
       )
       select id, array_position($1::uuid[], account_id) - 1 as account from made`,
      [accounts.map(({ id }) => id), accounts.length, count],
    )
    await client.query('analyze')
    return rows.map(({ id, account }) => ({ id, key: (accounts[account] as BenchAccount).key }))
  })
}
