import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { type Swift, startSwift } from '../support/swift.ts'
import { createFreshDatabase, type TemporaryDatabase } from '../support/temporary-postgres.ts'
import { admin, type ServiceProcess, startProcess, startWorkerProcess } from './service-process.ts'

// One API process and one worker process that share a database and a bucket, and nothing else.

describe('api and worker apart', () => {
  let swift: Swift
  let database: TemporaryDatabase
  let storage: ReturnType<typeof openS3Storage>
  let api: ServiceProcess
  let worker: ChildProcess
  let key: string
  const folders: string[] = []
  const folder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'kiln-apart-'))
    folders.push(made)
    return made
  }

  beforeAll(async () => {
    ;[swift, database] = await Promise.all([startSwift(), createFreshDatabase()])
    storage = openS3Storage(swift.settings)
    const environment = {
      DATABASE_URL: database.connectionString,
      KILN_S3_BUCKET: swift.settings.bucket,
      KILN_S3_ENDPOINT: swift.settings.endpoint as string,
      KILN_S3_ACCESS_KEY_ID: swift.settings.accessKeyId,
      KILN_S3_SECRET_ACCESS_KEY: swift.settings.secretAccessKey,
    }
    api = await startProcess('main-api.ts', await folder(), environment)
    worker = await startWorkerProcess(await folder(), environment, '--lanes', 'document')
    const made = await admin(
      await folder(),
      { DATABASE_URL: database.connectionString },
      'account',
      'create',
      '--name',
      'x',
      '--json',
    )
    key = JSON.parse(made.stdout).key.key
  }, 180_000)
  afterAll(async () => {
    await api?.stop('SIGTERM')
    if (worker && worker.exitCode === null) {
      worker.kill('SIGTERM')
      await once(worker, 'exit')
    }
    storage?.close()
    await swift?.stop()
    await database?.drop()
    for (const each of folders) await rm(each, { recursive: true, force: true })
  })

  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${api.origin}/api${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
    })
  const submit = async (text: string) => {
    const body = JSON.stringify({ pair: 'md-to-html', bytes: Buffer.byteLength(text) })
    const answer = await call('/v1/conversions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return (await answer.json()) as { jobId: string; uploadUrl: string }
  }
  const poll = async (jobId: string, prefer = '') =>
    (await (await call(`/v1/conversions/${jobId}`, { headers: { prefer } })).json()) as Record<
      string,
      string | null
    >

  test('a file goes the whole way through the bucket, and its input is gone at the end', async () => {
    const { jobId, uploadUrl } = await submit('# Shared *clay*\n')
    expect(new URL(uploadUrl).origin).toBe(swift.settings.endpoint)
    expect((await fetch(uploadUrl, { method: 'PUT', body: '# Shared *clay*\n' })).status).toBe(200)
    await poll(jobId)
    const job = await poll(jobId, 'wait=25')
    expect(job).toMatchObject({ status: 'done', error: null })
    expect(await storage.size(`in/${jobId}`)).toBeNull()
    const download = await fetch(String(job.downloadUrl))
    expect(new URL(String(job.downloadUrl)).origin).toBe(swift.settings.endpoint)
    expect(await download.text()).toContain('<em>clay</em>')
  })

  test('S3 refuses another length, and the job waits on', async () => {
    const { jobId, uploadUrl } = await submit('exactly this')
    expect((await fetch(uploadUrl, { method: 'PUT', body: 'something longer than that' })).status).toBe(403)
    expect((await poll(jobId)).status).toBe('queued')
  })

  test('an upload is noticed without any call by the client', async () => {
    const { jobId, uploadUrl } = await submit('quiet')
    await fetch(uploadUrl, { method: 'PUT', body: 'quiet' })
    // Nobody polls; the output appears all the same.
    await expect.poll(() => storage.size(`out/${jobId}.1`), { timeout: 20_000, interval: 250 }).not.toBeNull()
  })

  test('an object of another size that arrives all the same fails the job and gives the charge back', async () => {
    const usage = async () =>
      (await (await call('/v1/usage')).json()) as { freeTier: { jobsRemaining: number } }
    const before = await usage()
    const { jobId } = await submit('declared')
    const other = await storage.uploadUrl({
      object: `in/${jobId}`,
      bytes: 3,
      expiresAt: new Date(Date.now() + 60_000),
    })
    await fetch(other, { method: 'PUT', body: 'sly' })
    const job = await poll(jobId)
    expect(job.status).toBe('failed')
    expect(job.error).toMatch(/^corrupt-input: .*3 bytes/)
    expect((await usage()).freeTier.jobsRemaining).toBe(before.freeTier.jobsRemaining)
    expect(await storage.size(`in/${jobId}`)).toBeNull()
  })
})
