import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

// One service per private database. A lock held by a session of PostgreSQL ends with its process,
// however that dies, so there is no stale lock to clean up.

const lockNumber = 5_456_301

export interface InstanceLock {
  release(): Promise<void>
}

/** Null when another service holds the lock; its last breath is waited for. */
export async function lockInstance(
  connectionString: string,
  patienceMilliseconds = 3000,
): Promise<InstanceLock | null> {
  const client = new pg.Client({ connectionString, application_name: 'kiln-instance' })
  client.on('error', () => {})
  await client.connect()
  const deadline = Date.now() + patienceMilliseconds
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      lockNumber,
    ])
    if (rows[0]?.locked) return { release: () => client.end() }
    if (Date.now() > deadline) {
      await client.end()
      return null
    }
    await delay(100)
  }
}
