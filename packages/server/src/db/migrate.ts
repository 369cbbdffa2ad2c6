import { type Migration, Migrator } from 'kysely/migration'
import type { Database } from './connect.ts'
import * as foundation from './migrations/0001-foundation.ts'
import * as submitFunction from './migrations/0002-submit-function.ts'
import * as turns from './migrations/0003-turns.ts'
import * as submitMany from './migrations/0004-submit-many.ts'
import * as operatorConsole from './migrations/0005-console.ts'

// Written out, in order. A migration that has been released is never changed; add another.
const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-submit-function': submitFunction,
  '0003-turns': turns,
  '0004-submit-many': submitMany,
  '0005-console': operatorConsole,
}

/** Brings the tables up to date. Several processes may call it at once: one does it, the rest wait. */
export async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database.kysely, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error('The database tables could not be brought up to date.', { cause: error })
}
