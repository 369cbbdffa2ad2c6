import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCluster } from '@kiln/test-support/postgres-cluster.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEndJob } from '../../src/conversions/end-job.ts'
import { readAccountLoad } from '../../src/db/account-load.ts'
import { connectDatabase, type Database } from '../../src/db/connect.ts'
import { readStyle } from '../../src/db/house-styles.ts'
import {
  addCpuSeconds,
  beginJob,
  countHandBack,
  markUploaded,
  recordFailedAttempt,
  recordOutcome,
} from '../../src/db/jobs.ts'
import { migrate } from '../../src/db/migrate.ts'
import { deleteProcess, recordProcess } from '../../src/db/processes.ts'
import { grantToWorkers } from '../../src/db/worker-role.ts'
import { openPgBossQueue } from '../../src/queue/pg-boss.ts'
import type { Queue } from '../../src/queue/queue.ts'
import { openLocalStorage } from '../../src/storage/local/local-storage.ts'
import { type Customer, createCustomer } from '../support/database.ts'

// Permissions of the role that the API grants a worker.

const closing = new AsyncDisposableStack()
afterAll(() => closing.disposeAsync())
let root: string
let owner: Database
let worker: Database
let queue: Queue
let ownQueue: Queue
let customer: Customer
const workerUrl = 'postgresql://kiln_worker:secret@host/kiln'
const openQueue = (database: Database) => openPgBossQueue({ database, onError: () => {} })

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kiln-worker-role-'))
  // The server runs as another user if root runs the test.
  await chmod(root, 0o711)
  closing.defer(() => rm(root, { recursive: true, force: true }))
  const cluster = await createCluster({ root: join(root, 'cluster'), settings: ['fsync = off'] })
  await cluster.start()
  closing.defer(() => cluster.stop('immediate'))
  const administrator = connectDatabase(cluster.url('postgres', 'postgres'), 1)
  for (const statement of ['create role kiln login', 'create database kiln owner kiln'])
    await sql.raw(statement).execute(administrator.kysely)
  owner = connectDatabase(cluster.url('kiln'), 5)
  await migrate(owner)
  ownQueue = await openQueue(owner)
  closing.defer(ownQueue.close)
  await expect(grantToWorkers(owner.kysely, workerUrl)).rejects.toThrow(/may not create it/)
  await sql`create role kiln_worker login`.execute(administrator.kysely)
  await administrator.close()
  // At each start of the API again.
  for (let start = 0; start < 2; start++) await grantToWorkers(owner.kysely, workerUrl)
  worker = connectDatabase(cluster.url('kiln_worker'), 5)
  // In this order: connections before the server.
  closing.defer(worker.close)
  closing.defer(owner.close)
  await migrate(worker)
  queue = await openQueue(worker)
  closing.defer(queue.close)
  customer = await createCustomer(owner)
  await sql`insert into webhooks (account_id, url, secret) values (${customer.accountId}, 'https://a.example', 'x')`.execute(
    owner.kysely,
  )
})

const takeJob = async () => {
  const jobId = await customer.job({ freePerMonth: 0 })
  await owner.kysely.transaction().execute(async (trx) => {
    const marked = await markUploaded(trx, jobId)
    if (marked) await ownQueue.enqueue(trx, { jobId, ...marked })
  })
  const taken = await queue.take('document', (trx, work) => beginJob(trx, work.jobId))
  if (!taken?.begun) throw new Error('There is no work.')
  return { jobId, work: taken.work, job: taken.begun }
}
const creditsOf = async () => {
  const { rows } = await sql<{ credits: number; events: number }>`
    select credits, (select count(*) from webhook_deliveries) as events from accounts
    where id = ${customer.accountId}`.execute(owner.kysely)
  return rows[0]
}

test('a worker takes, ends and fails jobs, and records itself', async () => {
  await sql`update accounts set credits = 10 where id = ${customer.accountId}`.execute(owner.kysely)
  const storage = await openLocalStorage(join(root, 'files'), 'http://localhost')
  const endJob = createEndJob({ database: worker, storage, queue, outputTtlSeconds: 1 })

  const good = await takeJob()
  const outputObject = `out/${good.jobId}.1`
  const done = { kind: 'done', outputObject, outputBytes: 1, report: null } as const
  expect(await recordOutcome(worker.kysely, good.jobId, good.job.attempt, done, 1)).toBe(true)
  expect(await endJob.settle(good.work, good.job)).toMatchObject({ status: 'done', credits: 1 })
  expect(await creditsOf()).toEqual({ credits: 9, events: 1 })

  const bad = await takeJob()
  expect(await queue.keep(bad.work)).toBe(true)
  await recordFailedAttempt(worker.kysely, bad.jobId, bad.job.attempt, 'broken')
  expect(await endJob.fail(bad.jobId, { word: 'internal', sentence: 'Broken.' }, bad.work)).toBe(true)
  expect(await creditsOf()).toEqual({ credits: 9, events: 2 })

  const handedBack = await takeJob()
  await countHandBack(worker.kysely, handedBack.jobId)
  await queue.handBack(handedBack.work)
  await endJob.fail(handedBack.jobId, { word: 'too-complex', sentence: 'Too large.' })

  await recordProcess(worker, { id: good.jobId, kind: 'worker', host: 'a', pid: 1, facts: {} })
  await deleteProcess(worker, good.jobId)
  await readAccountLoad(worker, 10)
  await readStyle(worker.kysely, customer.accountId, { css: true, reference: true })
})

test('a worker requeues the jobs of lost workers', async () => {
  const lost = await takeJob()
  await sql`update pgboss.job set heartbeat_on = now() - interval '1 minute' where id = ${lost.jobId}::uuid`.execute(
    owner.kysely,
  )
  const stateOf = async () => {
    await queue.reclaim()
    const { rows } = await sql<{ state: string }>`
      select state from pgboss.job where id = ${lost.jobId}::uuid`.execute(owner.kysely)
    return rows[0]?.state
  }
  await expect.poll(stateOf).toBe('retry')
})

test('an earlier version’s rights are taken away at the next start of the API', async () => {
  await sql`grant delete on jobs to kiln_worker`.execute(owner.kysely)
  await sql`grant select (secret) on webhooks to kiln_worker`.execute(owner.kysely)
  await grantToWorkers(owner.kysely, workerUrl)
  for (const statement of ['delete from jobs', 'select secret from webhooks'])
    await expect(sql.raw(statement).execute(worker.kysely)).rejects.toMatchObject({ code: '42501' })
})

describe('a worker that was taken over', () => {
  test('changes nothing of a job that has ended, except that its CPU time counts', async () => {
    const { job, work } = await takeJob()
    await ownQueue.drop(owner.kysely as never, { jobId: job.id, lane: work.lane })
    await sql`update jobs set status = 'done', output_object = ${`out/${job.id}.1`} where id = ${job.id}`.execute(
      owner.kysely,
    )
    for (const change of ["status = 'processing'", 'output_object = null', 'expires_at = now()']) {
      const { numAffectedRows } = await sql
        .raw(`update jobs set ${change} where id = '${job.id}'`)
        .execute(worker.kysely)
      expect(numAffectedRows).toBe(0n)
    }
    await addCpuSeconds(worker.kysely, job.id, 1.5)
    const { rows } = await sql`select status, cpu_seconds from jobs where id = ${job.id}`.execute(
      owner.kysely,
    )
    expect(rows).toEqual([{ status: 'done', cpu_seconds: 1.5 }])
    // The API, whose role owns the table, does.
    await sql`update jobs set expires_at = now() where id = ${job.id} returning id`.execute(owner.kysely)
  })

  test('cannot give its job the output of another', async () => {
    const [own, other] = [await takeJob(), await takeJob()]
    const stolen = {
      kind: 'done',
      outputObject: `out/${other.jobId}.1`,
      outputBytes: 1,
      report: null,
    } as const
    await expect(recordOutcome(worker.kysely, own.jobId, own.job.attempt, stolen, 1)).rejects.toMatchObject({
      code: '42501',
    })
  })

  test.each([
    ['read API keys', 'select * from api_keys'],
    ['read names and balances', 'select name, credits from accounts'],
    ['give credits', 'update accounts set credits = 1000'],
    [
      'write the ledger',
      "insert into ledger (account_id, kind, credits, free, reason) select id, 'grant', 9, 0, '' from accounts",
    ],
    ['read the secret of a webhook', 'select secret from webhooks'],
    ['send events elsewhere', "update webhooks set url = 'https://evil.example'"],
    ['read the password of the operator', 'select * from operator'],
    ['read sessions', 'select * from web_sessions'],
    ['read users and passkeys', 'select * from web_users, web_passkeys'],
    ['invite itself', 'select * from web_invitations'],
    [
      'submit for others',
      "insert into jobs (account_id, pair, lane, bytes, upload_expires_at) select id, 'a', 'a', 1, now() from accounts",
    ],
    ['move a job to another account', 'update jobs set account_id = account_id'],
    ['charge or refund by itself', "select refund_job(id, '') from jobs"],
    ['delete jobs', 'delete from jobs'],
    ['mark an upload as received', 'update jobs set uploaded_at = now()'],
    ['switch off row security', 'alter table jobs disable row level security'],
    ['create a table', 'create table mine (a integer)'],
    ['run a program', "copy (select 1) to program 'true'"],
    ['read a file of the server', "select pg_read_file('/etc/passwd')"],
  ])('cannot %s', async (_, statement) => {
    await expect(sql.raw(statement).execute(worker.kysely)).rejects.toMatchObject({ code: '42501' })
  })

  // The other side of the table in SECURITY.md: these rights are needed.
  test('can read the jobs of all accounts, and refund one that has failed once', async () => {
    const { rows } = await sql`select account_id, options from jobs`.execute(worker.kysely)
    expect(rows.length).toBeGreaterThan(0)
    const before = await creditsOf()
    await sql`select refund_ended_job(id, 'again') from jobs where status = 'failed'`.execute(worker.kysely)
    expect(await creditsOf()).toEqual(before)
  })
})

test('workers wait for tables that only the owner can create', async () => {
  const later = { '9999-later': { up: async () => {} } }
  await expect(migrate(worker, later)).rejects.toMatchObject({ cause: { code: 'unavailable' } })
})
