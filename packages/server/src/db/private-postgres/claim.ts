import { Client } from 'pg'
import { MAINTENANCE_DATABASE, ROLE } from './access.ts'

// Several processes may use one private server: the service, and an admin command at the same time. The last process to
// leave stops it. Each process holds a connection with a shared advisory lock, which is released even after kill -9.
// Stopping needs the exclusive lock; a process that requests a shared lock at that moment waits, loses the connection
// when the server stops, and starts the server again.

const CLAIM = 5_461_537

/** `pg` has both methods, but its types lack them. */
type IdleClient = Client & { ref(): void; unref(): void }

export async function claimServer(socketDir: string, password: string) {
  const client = new Client({
    host: socketDir,
    port: 5432,
    user: ROLE,
    password,
    database: MAINTENANCE_DATABASE,
    application_name: 'kiln-claim',
    connectionTimeoutMillis: 5_000,
  }) as IdleClient
  const lost = new Promise<void>((resolve) => {
    client.once('end', () => resolve())
    client.on('error', () => resolve())
  })
  try {
    await client.connect()
    await client.query(`select pg_advisory_lock_shared(${CLAIM})`)
  } catch (error) {
    // The first error is the one to report.
    await client.end().catch(() => undefined)
    throw error
  }
  // An idle claim does not keep the process alive; a pending query does.
  const ask = async <Row extends object>(text: string): Promise<Row[]> => {
    client.ref()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      client.unref()
    }
  }
  client.unref()
  return {
    /** Resolves when the connection is lost, for any reason. */
    lost,
    /** True: no other process uses the server, and none can start to use it. */
    async takeAlone(): Promise<boolean> {
      await ask(`select pg_advisory_unlock_shared(${CLAIM})`)
      const [row] = await ask<{ alone: boolean }>(`select pg_try_advisory_lock(${CLAIM}) as alone`)
      return row?.alone === true
    },
    async end(): Promise<void> {
      client.ref()
      await client.end()
    },
  }
}

export type Claim = Awaited<ReturnType<typeof claimServer>>
