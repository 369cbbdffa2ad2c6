import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Swift, startSwift } from '@kiln/test-support/swift.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEndJob, type EndJob } from '../../src/conversions/end-job.ts'
import { createNoticeUpload, createPollUploads } from '../../src/conversions/notice-upload.ts'
import { createSweeper, type Sweeper } from '../../src/conversions/sweep.ts'
import { findJob } from '../../src/db/find-job.ts'
import { createLog } from '../../src/log/log.ts'
import { openPgBossQueue } from '../../src/queue/pg-boss.ts'
import type { Queue } from '../../src/queue/queue.ts'
import { inputObject } from '../../src/storage/object-names.ts'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { createCustomer, useDatabase } from '../support/database.ts'

// Where a bucket receives the uploads, the service is not notified of one that begins, or of one that comes too late.

const context = useDatabase()
let swift: Swift
let storage: ReturnType<typeof openS3Storage>
let queue: Queue
let folder: string
let endJob: EndJob
let sweeper: Sweeper
let look: () => Promise<void>
beforeAll(async () => {
  const { database } = context
  swift = await startSwift()
  storage = openS3Storage(swift.settings, 'http://localhost:1')
  folder = await mkdtemp(join(tmpdir(), 'kiln-bucket-'))
  queue = await openPgBossQueue({ database, onError: () => {} })
  endJob = createEndJob({ database, storage, queue, outputTtlSeconds: 3600 })
  const log = createLog('silent', false)
  sweeper = createSweeper({ database, storage, endJob, recordTtlSeconds: 86_400, log })
  const notice = createNoticeUpload({ database, queue, storage, endJob })
  look = createPollUploads({ database, storage, notice })
}, 120_000)
afterAll(async () => {
  await queue?.close()
  storage?.close()
  await swift?.stop()
  await rm(folder, { recursive: true, force: true })
})

const put = async (jobId: string, text: string) => {
  const path = join(folder, jobId)
  await writeFile(path, text)
  await storage.store(path, inputObject(jobId))
}
const job = (id: string) => findJob(context.database.kysely, id)
const linkRanOut = (id: string, seconds: number) =>
  sql`update jobs set upload_expires_at = now() - make_interval(secs => ${seconds}) where id = ${id}`.execute(
    context.database.kysely,
  )

test('an upload for a job that has ended is removed by the next look, an awaited one is taken', async () => {
  const customer = await createCustomer(context.database)
  const [ended, awaited] = [await customer.job(), await customer.job()]
  await endJob.fail(ended, { word: 'cancelled', sentence: 'A test.' })
  for (const id of [ended, awaited]) await put(id, '0123456789')
  await look()
  expect(await storage.size(inputObject(ended))).toBeNull()
  expect(await storage.size(inputObject(awaited))).toBe(10)
  expect((await job(awaited))?.uploadedAt).not.toBeNull()
})

test('an upload of another size fails its job; a process that finds it failed by another looks again', async () => {
  const { database } = context
  const jobId = await (await createCustomer(database)).job()
  await put(jobId, 'sly')
  const notice = createNoticeUpload({ database, queue, storage, endJob })
  expect(await notice({ jobId, bytes: 10 })).toBe(true)
  await put(jobId, 'sly')
  expect(await notice({ jobId, bytes: 10 })).toBe(true)
  expect(await job(jobId)).toMatchObject({ status: 'failed', failureWord: 'corrupt-input' })
})

test('an upload that began before the link ran out has time to arrive, by its size', async () => {
  const customer = await createCustomer(context.database)
  const [small, large] = [await customer.job(), await customer.job({ bytes: 40 * 1024 * 1024 })]
  for (const id of [small, large]) await linkRanOut(id, 30)
  await sweeper.sweepExpired()
  expect((await job(small))?.status).toBe('queued')
  // The bytes of the small one arrive: it counts.
  await put(small, '0123456789')
  await look()
  expect((await job(small))?.uploadedAt).not.toBeNull()
  await linkRanOut(large, 300)
  await sweeper.sweepExpired()
  expect((await job(large))?.status).toBe('queued')
  await linkRanOut(large, 340)
  await sweeper.sweepExpired()
  expect(await job(large)).toMatchObject({ status: 'failed', failureWord: 'timeout' })
})
