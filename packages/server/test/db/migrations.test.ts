import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '../../src/db/connect.ts'
import { migrate, migrations } from '../../src/db/migrate.ts'
import { isUnavailable } from '../../src/errors.ts'
import { createFreshDatabase, type TemporaryDatabase } from '../support/temporary-postgres.ts'

// An upgrade while the old version still runs.

describe('migrations', () => {
  const folder = new URL('../../src/db/migrations/', import.meta.url)
  const takesAway =
    /\bdrop\s+(table|column|index|function|constraint|type|schema)\b|\brename\b|\balter\s+column\b[^;`]*\b(type|set\s+not\s+null)\b|\btruncate\b|\bdelete\s+from\b/i

  test.each([...readdirSync(folder), '../foundation-functions.ts'])(
    '%s only adds: the version before it goes on working',
    (name) => {
      const source = readFileSync(new URL(name, folder), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '')
      expect(source).not.toMatch(takesAway)
    },
  )

  test.each([
    'alter table jobs drop column turn',
    'alter table jobs rename to work',
    'alter table jobs alter column bytes type integer',
    'alter table jobs alter column turn set not null',
    'drop function submit_conversion',
  ])('the check knows that this takes away: %s', (statement) => expect(statement).toMatch(takesAway))

  test('every file is in the list', () => {
    expect(Object.keys(migrations)).toEqual(readdirSync(folder).map((name) => name.replace(/\.ts$/, '')))
  })
})

describe('an upgrade', () => {
  let temporary: TemporaryDatabase
  const later = {
    ...migrations,
    '9999-later': { up: (db: Kysely<unknown>) => sql`alter table jobs add column later text`.execute(db) },
  } as unknown as typeof migrations
  beforeAll(async () => {
    temporary = await createFreshDatabase()
    await migrate(temporary)
  })
  afterAll(() => temporary.drop())

  test('gives way to those who work, and gets its turn', async () => {
    const reader = new Client({ connectionString: temporary.connectionString })
    const other = new Client({ connectionString: temporary.connectionString })
    await Promise.all([reader.connect(), other.connect()])
    // The old version holds the table, for longer than anybody should have to wait.
    await reader.query('begin')
    await reader.query('select count(*) from jobs')
    const upgrade = migrate(temporary, later)
    await delay(500)
    const started = performance.now()
    await other.query('select count(*) from jobs')
    expect(performance.now() - started).toBeLessThan(2500)
    await delay(1500)
    await reader.query('commit')
    await upgrade
    await other.query('select later from jobs')
    await Promise.all([reader.end(), other.end()])
  })

  test('does not keep a process of the version before from starting again', async () => {
    await migrate(temporary, migrations)
    const database = connectDatabase(temporary.connectionString, 2)
    expect(await database.version()).toMatch(/^\d/)
    await database.close()
  })

  test('that loses its connection reports that the database is not available', async () => {
    const fresh = await createFreshDatabase()
    const endsItself = {
      '0001-ends': {
        up: (db: Kysely<unknown>) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db),
      },
    } as unknown as typeof migrations
    const error = await migrate(fresh, endsItself).then(
      () => undefined,
      (error: Error) => error,
    )
    expect(isUnavailable(error?.cause)).toBe(true)
    await fresh.drop()
  })

  test('is made once, however many start at the same time', async () => {
    const fresh = await createFreshDatabase()
    await Promise.all(Array.from({ length: 6 }, () => migrate(fresh)))
    await fresh.drop()
  })
})
