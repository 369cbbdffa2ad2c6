import type { Database, Db } from './connect.ts'
import { run } from './query.ts'

/** True for one caller in each interval, over all processes. */
export async function claimTurn(database: Database, name: string, everySeconds: number): Promise<boolean> {
  // Timers are not exact: a caller that is slightly early gets its turn.
  const rows = await database.prepared<{ name: string }>(
    'claim-turn',
    `insert into turns (name) values ($1)
     on conflict (name) do update set taken_at = now()
     where turns.taken_at <= now() - make_interval(secs => $2::double precision * 0.9)
     returning name`,
    [name, everySeconds],
  )
  return rows.length > 0
}

/**
 * Runs the work while no other process with the same database runs it. The lock is released when its connection ends.
 */
export const withAdvisoryLock = <T>(db: Db, name: string, work: () => Promise<T>): Promise<T> =>
  db.connection().execute(async (connection) => {
    await run(connection)`select pg_advisory_lock(hashtext('kiln'), hashtext(${name}))`
    try {
      return await work()
    } finally {
      await run(connection)`select pg_advisory_unlock(hashtext('kiln'), hashtext(${name}))`
    }
  })
