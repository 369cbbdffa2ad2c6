import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

// One service per private database. An advisory lock of a PostgreSQL session is released when the process ends in any
// way, so there is no stale lock to clean up. If the database restarts, the session ends too, and the lock is taken
// again.

const lockNumber = 5_456_301
const endingMilliseconds = 3000

/** Null when another service holds the lock. Waits for one that is about to end. */
export async function lockInstance(connectionString: string) {
  let released = false
  let client = await takeLock(connectionString, endingMilliseconds)
  if (!client) return null
  const retakeWhenLost = (current: pg.Client) => {
    current.on('end', async () => {
      while (!released) {
        await delay(1000)
        // The database may still be unavailable; the loop tries again.
        const again = await takeLock(connectionString, 0).catch(() => null)
        if (!again) continue
        client = again
        return released ? again.end() : retakeWhenLost(again)
      }
    })
  }
  retakeWhenLost(client)
  return {
    async release(): Promise<void> {
      released = true
      // The lock ends with the connection, also when it is lost.
      await client?.end().catch(() => {})
    },
  }
}

async function takeLock(connectionString: string, patienceMilliseconds: number): Promise<pg.Client | null> {
  const client = new pg.Client({
    connectionString,
    application_name: 'kiln-instance',
    connectionTimeoutMillis: 2000,
  })
  client.on('error', () => {})
  await client.connect()
  for (const deadline = Date.now() + patienceMilliseconds; ; await delay(100)) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      lockNumber,
    ])
    if (rows[0]?.locked) return client
    if (Date.now() >= deadline) break
  }
  await client.end()
  return null
}
