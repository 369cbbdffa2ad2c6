import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onDatabase } from '@kiln/test-support/on-database.ts'
import { connectDatabase } from '../../packages/server/src/db/connect.ts'
import { migrate } from '../../packages/server/src/db/migrate.ts'
import { startPrivatePostgres } from '../../packages/server/src/db/private-postgres/index.ts'
import { openPgBossQueue } from '../../packages/server/src/queue/pg-boss.ts'

// Shared by all suites: one private PostgreSQL with the service's settings (fsync is on) in a temporary folder, used by
// both sides of every comparison.

export interface Environment {
  postgresVersion: string
  /** Process id of PostgreSQL's parent process. */
  postmaster: number
  /** A new database with the service's tables. */
  createServiceDatabase(name: string): Promise<string>
  createFolder(name: string): Promise<string>
  close(): Promise<void>
}

export async function openEnvironment(): Promise<Environment> {
  const root = await mkdtemp(join(tmpdir(), 'kiln-bench-'))
  // A service started as root runs as another user, who needs access to the database's socket.
  await chmod(root, 0o711)
  const server = await startPrivatePostgres({
    dataDir: join(root, 'database'),
    mayManageDatabases: true,
  })
  const postgresVersion = await onDatabase(server.connectionString, async (client) => {
    const { rows } = await client.query<{ version: string; fsync: string }>(
      `select current_setting('server_version') as version, current_setting('fsync') as fsync`,
    )
    if (rows[0]?.fsync !== 'on') throw new Error('The benchmarks need a PostgreSQL with fsync on.')
    return rows[0].version
  })

  const pidFile = await readFile(join(root, 'database/postgres/postmaster.pid'), 'utf8')
  const postmaster = Number.parseInt(pidFile, 10)

  return {
    postgresVersion,
    postmaster,
    async createServiceDatabase(name) {
      await onDatabase(server.connectionString, (client) => client.query(`create database ${name}`))
      const connectionString = server.connectionString.replace(/\/[^/]*$/, `/${name}`)
      await createTables(connectionString)
      return connectionString
    },
    async createFolder(name) {
      const folder = join(root, name)
      await mkdir(folder, { recursive: true, mode: 0o711 })
      return folder
    },
    async close() {
      await server.stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** The tables of the service and of its queue. */
async function createTables(connectionString: string): Promise<void> {
  const database = connectDatabase(connectionString, 2)
  await migrate(database)
  const queue = await openPgBossQueue({ database, onError: () => {} })
  await queue.close()
  await database.close()
}
