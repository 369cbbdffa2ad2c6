import { sql } from 'kysely'
import type { Db } from './connect.ts'

/**
 * Runs the work while no other process with the same database runs it. The lock is released when its connection ends.
 */
export const withAdvisoryLock = <T>(db: Db, name: string, work: () => Promise<T>): Promise<T> =>
  db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(hashtext('kiln'), hashtext(${name}))`.execute(connection)
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(hashtext('kiln'), hashtext(${name}))`.execute(connection)
    }
  })
