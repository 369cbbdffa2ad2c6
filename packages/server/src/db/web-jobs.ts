import type { ConversionReport, FailureWord, JobStatus } from '@kiln/contract'
import { sql } from 'kysely'
import { insertAccount } from './accounts.ts'
import type { Db } from './connect.ts'
import { changesOneRow, queryRow, queryRows, run } from './query.ts'

// The jobs of one account, as its users see them. They are found through the ledger, which is indexed by account: the
// jobs table has no such index, because it would slow down submits.

export interface AccountJob {
  id: string
  /** The id of its charge, the cursor of the next page. */
  entry: number
  pair: string
  bytes: number
  outputBytes: number | null
  status: JobStatus
  uploaded: boolean
  progress: number | null
  failureWord: FailureWord | null
  failureSentence: string | null
  report: ConversionReport | null
  createdAt: Date
  finishedAt: Date | null
  expiresAt: Date | null
}

const columns = sql`
  j.id, l.id as entry, j.pair, j.bytes, j.output_bytes as "outputBytes", j.status,
  j.uploaded_at is not null as uploaded, j.progress, j.failure_word as "failureWord",
  j.failure_sentence as "failureSentence", j.report, j.created_at as "createdAt",
  j.finished_at as "finishedAt", j.expires_at as "expiresAt"`

/** The latest first; `before` is the entry of the last job seen. */
export const listAccountJobs = (db: Db, accountId: string, before: number | null, limit: number) =>
  queryRows<AccountJob>(db)`
    select ${columns} from ledger l join jobs j on j.id = l.job_id
    where l.account_id = ${accountId} and l.kind = 'charge' and (${before}::bigint is null or l.id < ${before})
    order by l.id desc limit ${limit}`

export interface WaitingJob {
  id: string
  uploaded: boolean
  /** Jobs of the same lane that run before it; at most `maxCounted`. */
  ahead: number
}

export const maxCounted = 200

export async function readWaiting(db: Db, ids: readonly string[]): Promise<WaitingJob[]> {
  if (ids.length === 0) return []
  return queryRows<WaitingJob>(db)`
    select j.id, j.uploaded_at is not null as uploaded, (
      select count(*)::integer from (
        select from jobs w where w.lane = j.lane and w.status = 'queued' and w.uploaded_at is not null
          and w.turn < j.turn limit ${maxCounted}) earlier) as ahead
    from jobs j where j.id = any (${ids}::uuid[]) and j.status = 'queued'`
}

// The account that guests share, and which guest submitted which job.

export const findOrCreateGuestAccount = (db: Db, name: string): Promise<string> =>
  db.transaction().execute(async (trx) => {
    await run(trx)`lock table guest_account in share row exclusive mode`
    const found = await queryRow<{ id: string }>(trx)`select account_id as id from guest_account`
    if (found) return found.id
    const account = await insertAccount(trx, name)
    await run(trx)`insert into guest_account (account_id) values (${account.id})`
    return account.id
  })

/** Counts one conversion of a network. False when the network has started `limit` conversions today (UTC) already. */
export async function takeGuestConversion(db: Db, network: string, limit: number): Promise<boolean> {
  await run(db)`delete from guest_counts where day < (now() at time zone 'utc')::date`
  return changesOneRow(db)`
    insert into guest_counts as counted (network, day) values (${network}, (now() at time zone 'utc')::date)
    on conflict (network, day) do update set conversions = counted.conversions + 1
    where counted.conversions < ${limit}`
}

/** Takes back the count of a conversion that was not started. */
export const returnGuestConversion = (db: Db, network: string) =>
  run(db)`
    update guest_counts set conversions = conversions - 1
    where network = ${network} and day = (now() at time zone 'utc')::date and conversions > 0`

export const recordGuestJob = (db: Db, jobId: string, sessionHash: Buffer) =>
  run(db)`
    insert into guest_jobs (job_id, session_hash) values (${jobId}, ${sessionHash})
    on conflict do nothing`

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
