import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { connectDatabase, type Database, type Db, patientConnectMilliseconds } from './connect.ts'
import { asUnavailable, databaseUnavailable } from './connection-errors.ts'
import { statements as foundation } from './migrations/0001-foundation.ts'
import { statements as webhooks } from './migrations/0002-webhooks.ts'
import { statements as houseStyles } from './migrations/0003-house-styles.ts'
import { statements as parentAccounts } from './migrations/0004-parent-accounts.ts'
import { statements as webApp } from './migrations/0005-web-app.ts'
import { statements as cpuSeconds } from './migrations/0006-cpu-seconds.ts'
import { statements as workerRole } from './migrations/0007-worker-role.ts'
import { statements as leaseTokens } from './migrations/0008-lease-tokens.ts'
import { queryOne, queryRows } from './query.ts'

// All migrations, in order. A released migration is never changed; add another.
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  Object.entries({
    '0001-foundation': foundation,
    '0002-webhooks': webhooks,
    '0003-house-styles': houseStyles,
    '0004-parent-accounts': parentAccounts,
    '0005-web-app': webApp,
    '0006-cpu-seconds': cpuSeconds,
    '0007-worker-role': workerRole,
    '0008-lease-tokens': leaseTokens,
  }).map(([name, statements]) => [name, { up: (db) => execute(db, statements) }]),
)

async function execute(db: Db, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

// How an upgrade works while the old version still runs:
// - Migrations only add (tables, columns with a default, functions under a new name), so the old version continues to
//   work; what it needs is dropped a release later. migrations.test.ts enforces this.
// - A migration that waits for a lock would make all traffic queue up behind it. So it has a short lock timeout, is
//   rolled back and tried again.
// - A process of the old version that restarts finds migrations that it does not know. That is not an error: a newer
//   version has been started before.
// - A worker whose role may not create tables (worker-role.ts) waits until a process of the owner has migrated.

const lockMilliseconds = 1500
const pauseMilliseconds = 500
const tries = 60

/** Brings the tables up to date. Several processes may call it concurrently: one migrates, the others wait. */
export async function migrate(
  { connectionString }: Pick<Database, 'connectionString'>,
  known: Readonly<Record<string, Migration>> = migrations,
): Promise<void> {
  // A separate connection: an index on a large table may take longer than a request is allowed to.
  const database = connectDatabase(connectionString, 2, {
    session: { lock_timeout: lockMilliseconds },
    connectMilliseconds: patientConnectMilliseconds,
  })
  try {
    for (let left = tries; ; left--) {
      const error = await tryToMigrate(database.kysely, known)
      if (error === undefined) return
      if (!isLockTimeout(error) || left <= 1)
        throw new Error('The database tables could not be brought up to date.', { cause: error })
      await delay(pauseMilliseconds)
    }
  } finally {
    await database.close()
  }
}

async function tryToMigrate(db: Db, known: Readonly<Record<string, Migration>>): Promise<unknown> {
  try {
    const executed = await executedMigrations(db)
    if (!(await mayCreateTables(db))) {
      const missing = Object.keys(known).filter((name) => !executed.includes(name))
      if (missing.length === 0) return undefined
      return databaseUnavailable(
        `The tables are not up to date (${missing.join(', ')}): start the API first.`,
      )
    }
    const fromLater = executed.filter((name) => !(name in known))
    const all = { ...known, ...Object.fromEntries(fromLater.map((name) => [name, { up: async () => {} }])) }
    const migrator = new Migrator({ db, provider: { getMigrations: async () => all } })
    return asUnavailable((await migrator.migrateToLatest()).error)
  } catch (error) {
    return asUnavailable(error)
  }
}

async function mayCreateTables(db: Db): Promise<boolean> {
  const { may } = await queryOne<{ may: boolean }>(db)`
    select has_schema_privilege(current_schema(), 'create') as may`
  return may
}

async function executedMigrations(db: Db): Promise<string[]> {
  const { there } = await queryOne<{ there: boolean }>(db)`
    select to_regclass('kysely_migration') is not null as there`
  if (!there) return []
  return (await queryRows<{ name: string }>(db)`select name from kysely_migration`).map(({ name }) => name)
}

const isLockTimeout = (error: unknown): boolean => (error as { code?: string } | null)?.code === '55P03'
