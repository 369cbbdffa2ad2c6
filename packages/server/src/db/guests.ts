import { sql } from 'kysely'
import { insertAccount } from './accounts.ts'
import type { Db } from './connect.ts'
import { changesOneRow, queryRow, queryRows } from './query.ts'

// The account that guests share, and which guest submitted which job.

export const findOrCreateGuestAccount = (db: Db, name: string): Promise<string> =>
  db.transaction().execute(async (trx) => {
    await sql`lock table guest_account in share row exclusive mode`.execute(trx)
    const found = await queryRow<{ id: string }>(trx)`select account_id as id from guest_account`
    if (found) return found.id
    const account = await insertAccount(trx, name)
    await sql`insert into guest_account (account_id) values (${account.id})`.execute(trx)
    return account.id
  })

/** Counts one conversion of a network. False when the network has started `limit` conversions today (UTC) already. */
export async function takeGuestConversion(db: Db, network: string, limit: number): Promise<boolean> {
  await sql`delete from guest_counts where day < (now() at time zone 'utc')::date`.execute(db)
  return changesOneRow(db)`
    insert into guest_counts as counted (network, day) values (${network}, (now() at time zone 'utc')::date)
    on conflict (network, day) do update set conversions = counted.conversions + 1
    where counted.conversions < ${limit}`
}

/** Takes back the count of a conversion that was not started. */
export async function returnGuestConversion(db: Db, network: string): Promise<void> {
  await sql`
    update guest_counts set conversions = conversions - 1
    where network = ${network} and day = (now() at time zone 'utc')::date and conversions > 0`.execute(db)
}

export async function recordGuestJob(db: Db, jobId: string, sessionHash: Buffer): Promise<void> {
  await sql`
    insert into guest_jobs (job_id, session_hash) values (${jobId}, ${sessionHash})
    on conflict do nothing`.execute(db)
}

/** The given jobs that this session submitted. */
export async function guestJobsAmong(
  db: Db,
  sessionHash: Buffer,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await queryRows<{ id: string }>(db)`
    select job_id as id from guest_jobs
    where session_hash = ${sessionHash} and job_id = any (${ids}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}
