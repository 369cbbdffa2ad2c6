import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { inject } from 'vitest'
import { startPrivatePostgres } from '../../src/db/private-postgres/index.ts'

// One PostgreSQL for a whole test run (started by global-setup.ts beside this file), one fresh database per
// test file. A file whose database needs tables gives `prepare`: it runs once, on a template, and every
// further database is a copy of that template.

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

export interface TemporaryPostgres {
  readonly connectionString: string
  stop(): Promise<void>
}

export interface TemporaryDatabase {
  readonly connectionString: string
  drop(): Promise<void>
}

/** A server in a separate folder. Its data is discarded, so it does not wait for the disk. */
export async function startTemporaryPostgres(): Promise<TemporaryPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kiln-test-'))
  const server = await startPrivatePostgres({
    dataDir,
    mayManageDatabases: true,
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
  })
  return {
    connectionString: server.connectionString,
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface FreshDatabaseOptions {
  /** Makes the tables. Must close every connection that it opens. */
  readonly prepare?: (connectionString: string) => Promise<void>
  /** Names the template; files with the same `prepare` give the same name. */
  readonly template?: string
  /** The server; by default that of the test run. */
  readonly server?: string
}

export async function createFreshDatabase(options: FreshDatabaseOptions = {}): Promise<TemporaryDatabase> {
  const server = options.server ?? inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(server, async (client) => {
    const template = options.prepare ? await preparedTemplate(client, server, options) : 'template0'
    await client.query(`create database ${name} template ${template}`)
  })
  return {
    connectionString: databaseUrl(server, name),
    drop: () => onServer(server, (client) => dropDatabase(client, name)),
  }
}

/** We may not end the server's own vacuum, which may be in the database just now; a plain drop makes it end. */
async function dropDatabase(client: Client, name: string): Promise<void> {
  const drop = `drop database if exists ${name}`
  await client.query(`${drop} with (force)`).catch(() => client.query(drop))
}

/** Test files run in several processes; a lock lets the first make the template and the others wait for it. */
async function preparedTemplate(
  client: Client,
  server: string,
  options: FreshDatabaseOptions,
): Promise<string> {
  const name = `template_${(options.template ?? 'kiln').replaceAll(/[^a-z0-9]/g, '_')}`
  await client.query('select pg_advisory_lock(77)')
  const found = await client.query('select 1 from pg_database where datname = $1', [name])
  if (found.rows.length === 0) {
    const unfinished = `unfinished_${name}`
    await dropDatabase(client, unfinished)
    await client.query(`create database ${unfinished} template template0`)
    await options.prepare?.(databaseUrl(server, unfinished))
    await client.query(`alter database ${unfinished} rename to ${name}`)
  }
  await client.query('select pg_advisory_unlock(77)')
  return name
}

function databaseUrl(server: string, name: string): string {
  return server.replace(/\/[^/]*$/, `/${name}`)
}

async function onServer(server: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
