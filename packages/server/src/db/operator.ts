import type { Database, Db } from './connect.ts'
import { changesOneRow, queryOne, queryRow, run } from './query.ts'

// The operator's password (its hash), the sessions it opened, and the attempts that failed.

export const readPasswordHash = async (db: Db): Promise<string | null> =>
  (await queryRow<{ hash: string }>(db)`select password_hash as hash from operator`)?.hash ?? null

/** Replaces the password and ends every session that was opened with another. */
export const writePasswordHash = (db: Db, hash: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await run(trx)`
      insert into operator (password_hash) values (${hash})
      on conflict (one) do update set password_hash = excluded.password_hash, changed_at = now()`
    await run(trx)`delete from operator_sessions`
  })

/** Sets the first password. False when there is one already. */
export const writeFirstPasswordHash = (db: Db, hash: string) =>
  changesOneRow(db)`
    insert into operator (password_hash) values (${hash}) on conflict do nothing`

export async function insertSession(
  db: Db,
  tokenHash: Buffer,
  seconds: number,
  passwordHash: string,
): Promise<Date | null> {
  // No session is created if the password was replaced while this one was being checked.
  const session = await queryRow<{ ends_at: Date }>(db)`
    insert into operator_sessions (token_hash, ends_at)
    select ${tokenHash}, now() + make_interval(secs => ${seconds})
    from operator where password_hash = ${passwordHash}
    returning ends_at`
  await run(db)`delete from operator_sessions where ends_at <= now()`
  return session?.ends_at ?? null
}

export async function findSession(database: Database, tokenHash: Buffer): Promise<Date | null> {
  const rows = await database.prepared<{ ends_at: Date }>(
    'find-session',
    'select ends_at from operator_sessions where token_hash = $1 and ends_at > now()',
    [tokenHash],
  )
  return rows[0]?.ends_at ?? null
}

export const deleteSession = (db: Db, tokenHash: Buffer) =>
  run(db)`delete from operator_sessions where token_hash = ${tokenHash}`

/**
 * Counts an attempt to sign in as failed, until it turns out to be right. Returns the count within the current window,
 * including this attempt, and the seconds until the window ends.
 */
export async function countAttempt(
  db: Db,
  address: string,
  windowSeconds: number,
): Promise<{ attempts: number; seconds: number }> {
  const counted = await queryOne<{ attempts: number; seconds: number }>(db)`
    insert into operator_failures (address, window_start)
    values (${address}, to_timestamp(floor(extract(epoch from now()) / ${windowSeconds}) * ${windowSeconds}))
    on conflict (address, window_start) do update set failures = operator_failures.failures + 1
    returning failures as attempts,
      ceil(${windowSeconds}::float8 - mod(extract(epoch from now()), ${windowSeconds}))::integer as seconds`
  await run(db)`delete from operator_failures where window_start < now() - interval '1 day'`
  return counted
}

export const forgetFailures = (db: Db, address: string) =>
  run(db)`delete from operator_failures where address = ${address}`
