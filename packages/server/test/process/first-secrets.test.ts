// @module-tag slow

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { createFreshDatabase } from '../support/temporary-postgres.ts'
import { startService } from './service-process.ts'

test('a first start whose database is lost while it makes the first secrets goes on, and shows them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kiln-first-'))
  const database = await createFreshDatabase()
  await migrate(database)
  const holder = new pg.Client({ connectionString: database.connectionString })
  await holder.connect()
  // Only the first password needs this table. Who waits for it is cut off, once.
  await holder.query('begin; lock table operator in access exclusive mode')
  const starting = startService(folder, { DATABASE_URL: database.connectionString })
  const cutOff = () =>
    holder.query(`select pg_terminate_backend(pid) from pg_locks
                  where relation = 'operator'::regclass and not granted`)
  try {
    await expect.poll(async () => (await cutOff()).rowCount).toBe(1)
    await holder.query('commit')
    const service = await starting
    expect(service.output()).toContain('the database is away; waiting for it')
    await expect.poll(service.output).toMatch(/kiln_live_[0-9A-Za-z]{38}/)
    expect(service.output()).toMatch(/\/invitation#[\w-]{43}$/m)
    await expect.poll(service.output).toMatch(/^ {2}[a-z2-9]{5}(?:-[a-z2-9]{5}){3}$/m)
    expect(await service.stop('SIGTERM')).toBe(0)
  } finally {
    await holder.end()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
