import type { Config } from '../config/config.ts'
import { connectDatabase, type Database, patientConnectMilliseconds } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { type PrivatePostgres, startPrivatePostgres } from '../db/private-postgres/index.ts'
import { waitForDatabase } from '../db/wait-for-database.ts'
import type { Log } from '../log/log.ts'

export interface OpenDatabase {
  database: Database
  /** Null when DATABASE_URL names an external server. */
  server: PrivatePostgres | null
  close(): Promise<void>
}

/**
 * Connects to DATABASE_URL, or starts the private PostgreSQL, and brings the tables up to date. With a log it waits for
 * an unavailable database; without one (command line) it throws.
 */
export async function openDatabase(config: Config, log?: Log): Promise<OpenDatabase> {
  const server = config.databaseUrl
    ? null
    : await startPrivatePostgres({ dataDir: config.dataDir, log: (line) => log?.info(line) })
  const connectionString = config.databaseUrl ?? server?.connectionString ?? ''
  const database = connectDatabase(
    connectionString,
    config.databaseConnections,
    log ? {} : { connectMilliseconds: patientConnectMilliseconds },
  )
  const close = async () => {
    await database.close()
    await server?.stop()
  }
  try {
    const migrateSchema = () => migrate(database)
    await (log ? waitForDatabase(migrateSchema, tellAway(log)) : migrateSchema())
  } catch (error) {
    await close()
    throw error
  }
  return { database, server, close }
}

export const tellAway = (log: Log) => (error: unknown) =>
  log.warn({ err: error }, 'the database is away; waiting for it')
