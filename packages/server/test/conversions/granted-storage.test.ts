import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Swift, startSwift } from '@kiln/test-support/swift.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LeaseLost } from '../../src/conversions/end-job.ts'
import { createGrantFiles, grantPath } from '../../src/conversions/grant-files.ts'
import { createGrantedStorage } from '../../src/conversions/granted-storage.ts'
import { createSecretOptions } from '../../src/conversions/job-storage.ts'
import { beginJob, markUploaded, type StartedJob } from '../../src/db/jobs.ts'
import { createErrorHandler } from '../../src/http/errors.ts'
import { jobFilesRoute } from '../../src/http/job-files.ts'
import { createLog } from '../../src/log/log.ts'
import { openPgBossQueue } from '../../src/queue/pg-boss.ts'
import type { Queue, Work } from '../../src/queue/queue.ts'
import { inputObject, outputObject } from '../../src/storage/object-names.ts'
import { openS3Storage, type S3Storage } from '../../src/storage/s3/s3-storage.ts'
import { createCustomer, useDatabase } from '../support/database.ts'

// A worker without credentials of the bucket, and the API that gives it links: with a real PostgreSQL and S3 server.

const token = 'a-token-that-workers-have-in-common'
const context = useDatabase()
let swift: Swift
let bucket: S3Storage
let queue: Queue
let folder: string
let api: FastifyInstance
let apiUrl: string
let storage: ReturnType<typeof createGrantedStorage>

beforeAll(async () => {
  const { database } = context
  swift = await startSwift()
  bucket = openS3Storage(swift.settings, 'http://localhost:1')
  queue = await openPgBossQueue({ database, onError: () => {} })
  folder = await mkdtemp(join(tmpdir(), 'kiln-granted-'))
  api = Fastify()
  api.decorateRequest('jobId', '')
  api.setErrorHandler(createErrorHandler(createLog('silent', false)))
  jobFilesRoute(api, { token, grantFiles: createGrantFiles({ database, ...bucket }) })
  apiUrl = await api.listen({ port: 0, host: '127.0.0.1' })
  storage = createGrantedStorage({ apiUrl, token })
}, 120_000)
afterAll(async () => {
  storage?.close()
  await api?.close()
  await queue?.close()
  bucket?.close()
  await swift?.stop()
  await rm(folder, { recursive: true, force: true })
})

const newFile = async (content: string) => {
  const path = join(folder, randomUUID())
  await writeFile(path, content)
  return path
}

/** A job of a separate account that a worker has taken, with its input in the bucket. */
const takeJob = async (content: string, secrets: string | null = null) => {
  const jobId = await (await createCustomer(context.database)).job()
  await bucket.store(await newFile(content), inputObject(jobId))
  await sql`update jobs set secrets = ${secrets} where id = ${jobId}`.execute(context.database.kysely)
  await context.database.kysely.transaction().execute(async (trx) => {
    const marked = await markUploaded(trx, jobId)
    if (marked) await queue.enqueue(trx, { jobId, ...marked })
  })
  const taken = await queue.take('document', (trx, work) => beginJob(trx, work.jobId))
  if (taken?.begun?.id !== jobId) throw new Error('The job was not taken.')
  return { work: taken.work as Work, job: taken.begun }
}
const ask = (body: unknown, bearer: string | null = token) =>
  fetch(apiUrl + grantPath, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify(body),
  })
const claimOf = ({ id, attempt, leaseToken }: StartedJob) => ({ jobId: id, attempt, token: leaseToken })

test('a worker fetches the input of its job, stores the output and removes both', async () => {
  const { job } = await takeJob('the input')
  const release = storage.hold(job)
  const path = join(folder, randomUUID())
  await storage.fetch(inputObject(job.id), path)
  expect(await readFile(path, 'utf8')).toBe('the input')

  const output = outputObject(job.id, job.attempt)
  const content = 'x'.repeat(300_000)
  await storage.store(await newFile(content), output)
  expect(await bucket.size(output)).toBe(content.length)
  await storage.store(await newFile(''), output)
  expect(await bucket.size(output)).toBe(0)

  for (const object of [inputObject(job.id), output, output]) await storage.remove(object)
  expect(await bucket.size(inputObject(job.id))).toBeNull()
  expect(await bucket.size(output)).toBeNull()
  await expect(storage.fetch(inputObject(job.id), join(folder, randomUUID()))).rejects.toThrow('gone')
  release()
  await expect(storage.remove(output)).rejects.toThrow(LeaseLost)
})

test('an attempt that lost its lease to another of the same worker does not touch its output', async () => {
  const { job, work } = await takeJob('the input')
  const releaseFirst = storage.hold(job)
  await storage.store(await newFile('first'), outputObject(job.id, 1))
  await queue.fail(work, 'A test.')
  const takeAgain = async () =>
    (await queue.take('document', (trx, { jobId }) => beginJob(trx, jobId)))?.begun
  let next: StartedJob | null | undefined
  const attemptOf = async () => {
    next ??= await takeAgain()
    return next?.attempt
  }
  await expect.poll(attemptOf).toBe(2)
  const release = storage.hold(next as StartedJob)
  await storage.store(await newFile('second one'), outputObject(job.id, 2))
  await storage.remove(outputObject(job.id, 1))
  releaseFirst()
  expect(await bucket.size(outputObject(job.id, 1))).toBeNull()
  expect(await bucket.size(outputObject(job.id, 2))).toBe('second one'.length)
  await storage.remove(outputObject(job.id, 2))
  await expect(storage.store(await newFile('late'), outputObject(job.id, 1))).rejects.toThrow(LeaseLost)
  release()
})

test('many jobs at once share the connections', async () => {
  const jobs = []
  for (let n = 0; n < 8; n++) jobs.push((await takeJob(`input ${n}`)).job)
  await Promise.all(
    jobs.map(async (job, n) => {
      storage.hold(job)
      const path = join(folder, randomUUID())
      await storage.fetch(inputObject(job.id), path)
      expect(await readFile(path, 'utf8')).toBe(`input ${n}`)
    }),
  )
})

test('the secret options of a job come with its files', async () => {
  const sealed = createSecretOptions(bucket.keyFor).seal({ password: 'open sesame', pages: '1' }, 'request')
  const { job } = await takeJob('x', sealed.secrets)
  storage.hold(job)
  expect(await storage.optionsOf({ ...job, options: { password: null, pages: '1' } })).toEqual({
    password: 'open sesame',
    pages: '1',
  })
  const spoilt = await takeJob('x', randomBytes(64).toString('base64'))
  storage.hold(spoilt.job)
  await expect(storage.optionsOf(spoilt.job)).rejects.toMatchObject({ word: 'internal' })
})

describe('no links for', () => {
  test('a caller without the token, whatever it sends', async () => {
    const { job } = await takeJob('x')
    for (const bearer of [null, 'wrong', `${token}x`, token.slice(0, -1), job.leaseToken])
      expect((await ask(claimOf(job), bearer)).status).toBe(401)
    expect((await ask({ filler: 'x'.repeat(5000) }, null)).status).toBe(401)
    expect((await ask(claimOf(job))).status).toBe(200)
  })

  test.each([
    ['nothing', {}],
    ['a long body', { jobId: randomUUID(), attempt: 1, token: 'x'.repeat(2000) }],
    ['another kind of id', { jobId: '../in', attempt: 1, token: 'x' }],
  ])('a request with %s', async (_, body) => {
    expect((await ask(body)).status).toBe(400)
  })

  test('a job that another worker holds, also with a token of one’s own', async () => {
    const [own, other] = [await takeJob('mine'), await takeJob('not mine')]
    const forged = { ...claimOf(other.job), token: own.job.leaseToken }
    expect((await ask(forged)).status).toBe(403)
    // The hash in the database is not accepted as the token.
    const { rows } = await sql<{ hash: Buffer }>`
      select lease_hash as hash from jobs where id = ${other.job.id}`.execute(context.database.kysely)
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect((await ask({ ...forged, token: rows[0]?.hash.toString(encoding) })).status).toBe(403)
    storage.hold({ ...other.job, leaseToken: own.job.leaseToken })
    await expect(storage.fetch(inputObject(other.job.id), join(folder, randomUUID()))).rejects.toThrow(
      LeaseLost,
    )
  })

  test('another attempt, and an attempt that another worker has begun anew', async () => {
    const { job } = await takeJob('x')
    expect((await ask({ ...claimOf(job), attempt: 2 })).status).toBe(403)
    await beginJob(context.database.kysely, job.id)
    expect((await ask(claimOf(job))).status).toBe(403)
  })

  test('a lease that has lapsed, though no other worker has the job yet', async () => {
    const { job, work } = await takeJob('x')
    expect((await ask(claimOf(job))).status).toBe(200)
    await sql`update pgboss.job set heartbeat_on = now() - interval '11 seconds' where id = ${job.id}`.execute(
      context.database.kysely,
    )
    expect((await ask(claimOf(job))).status).toBe(403)
    expect(await queue.keep(work)).toBe(true)
    expect((await ask(claimOf(job))).status).toBe(200)
    await queue.handBack(work)
    expect((await ask(claimOf(job))).status).toBe(403)
    await queue.drop(context.database.kysely as never, { jobId: job.id, lane: work.lane })
  })

  test('a job that has ended', async () => {
    const { job } = await takeJob('x')
    await sql`update jobs set status = 'failed' where id = ${job.id}`.execute(context.database.kysely)
    expect((await ask(claimOf(job))).status).toBe(403)
  })
})

test('a link is good for its own object and verb alone', async () => {
  const [{ job }, other] = [await takeJob('mine'), await takeJob('not mine')]
  const { input, output } = (await (await ask(claimOf(job))).json()) as {
    input: { get: string }
    output: { put: string }
  }
  expect(await (await fetch(input.get)).text()).toBe('mine')
  expect((await fetch(input.get.replace(job.id, other.job.id))).status).toBe(403)
  expect((await fetch(input.get, { method: 'PUT', body: 'x' })).status).toBe(403)
  expect((await fetch(output.put)).status).toBe(403)
  const elsewhere = output.put.replace(job.id, other.job.id)
  expect((await fetch(elsewhere, { method: 'PUT', body: 'x' })).status).toBe(403)
  const list = new URL(input.get)
  list.pathname = `/${swift.settings.bucket}`
  expect((await fetch(list)).status).toBe(403)
})

describe('outages give the job back instead of failing it', () => {
  const answering = async (status: number): Promise<{ url: string; server: Server }> => {
    const server = createServer((_request, response) => response.writeHead(status).end())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
  }

  test.each([401, 404, 500, 503])('an API that answers %i', async (status) => {
    const { url, server } = await answering(status)
    const other = createGrantedStorage({ apiUrl: url, token })
    const { job } = await takeJob('x')
    other.hold(job)
    await expect(other.remove(inputObject(job.id))).rejects.toMatchObject({ code: 'unavailable' })
    other.close()
    server.closeAllConnections()
    server.close()
  })

  test('an API that cannot be reached, and then can', async () => {
    const { url, server } = await answering(200)
    server.close()
    const { job } = await takeJob('x')
    const other = createGrantedStorage({ apiUrl: url, token })
    other.hold(job)
    await expect(other.remove(inputObject(job.id))).rejects.toMatchObject({ code: 'unavailable' })
    other.close()
    storage.hold(job)
    await storage.remove(inputObject(job.id))
  })

  test('a full or missing disk is an error of the disk', async () => {
    const { job } = await takeJob('x')
    storage.hold(job)
    await expect(storage.fetch(inputObject(job.id), join(folder, 'none', 'x'))).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })
})
