import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Gate, openGate } from '@kiln/test-support/gate.ts'
import { openStoppablePostgres, type StoppablePostgres } from '@kiln/test-support/stoppable-postgres.ts'
import { type Swift, startSwift } from '@kiln/test-support/swift.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { admin, isAlive, type ServiceProcess, startProcess, startWorkerProcess } from '../service-process.ts'

// The responses of the API while the database or the storage is unavailable, and how soon it recovers.

const withinMilliseconds = 2000
const healthyAgainMilliseconds = 5000
/** /readyz gives an answer that is a second old at most. */
const readinessKeptMilliseconds = 1000

describe('an API and a worker whose', () => {
  let root: string
  let database: StoppablePostgres
  let swift: Swift
  let gate: Gate
  let api: ServiceProcess
  let worker: ChildProcess
  let key: string
  let ofWorkers: Record<string, string>

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'kiln-away-'))
    await chmod(root, 0o755)
    ;[database, swift] = await Promise.all([openStoppablePostgres(root), startSwift()])
    gate = await openGate({
      host: '127.0.0.1',
      port: Number(new URL(swift.settings.endpoint as string).port),
    })
    const ofAll = {
      DATABASE_URL: database.connectionString,
      KILN_WORKER_TOKEN: 'a-token-that-workers-have-in-common',
    }
    const settings = {
      ...ofAll,
      KILN_S3_BUCKET: swift.settings.bucket,
      KILN_S3_ENDPOINT: `http://127.0.0.1:${gate.port}`,
      KILN_S3_ACCESS_KEY_ID: swift.settings.accessKeyId,
      KILN_S3_SECRET_ACCESS_KEY: swift.settings.secretAccessKey,
      KILN_STOP_NOTICE_SECONDS: '0',
    }
    api = await startProcess('main-api.ts', join(root, 'api'), settings)
    ofWorkers = { ...ofAll, KILN_WORKER_API_URL: api.origin }
    worker = await startWorkerProcess(join(root, 'worker'), ofWorkers, '--lanes', 'document')
    const made = await admin(join(root, 'admin'), settings, 'account', 'create', '--name', 'x', '--json')
    key = JSON.parse(made.stdout).key.key
  })
  afterAll(async () => {
    await api?.stop('SIGTERM')
    if (worker?.exitCode === null) {
      worker.kill('SIGTERM')
      await once(worker, 'exit')
    }
    await gate?.end()
    await database?.end()
    await swift?.stop()
    await rm(root, { recursive: true, force: true })
  })

  const timed = async (path: string, init: RequestInit = {}) => {
    const began = performance.now()
    const answer = await fetch(api.origin + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    const body = (await answer.json()) as {
      code?: string
      status?: string
      jobId?: string
      uploadUrl?: string
    }
    return {
      status: answer.status,
      body,
      retryAfter: answer.headers.get('retry-after'),
      milliseconds: performance.now() - began,
    }
  }
  const order = { method: 'POST', body: JSON.stringify({ pair: 'md-to-html', bytes: 5 }) }
  const untilHealthy = async () => {
    const began = performance.now()
    while ((await timed('/readyz')).status !== 200) {
      if (performance.now() - began > 30_000) throw new Error('not healthy within half a minute')
      await delay(50)
    }
    return performance.now() - began
  }
  /** A whole conversion; nothing of the outage is left. */
  const convert = async () => {
    const { body } = await timed('/api/v1/conversions', order)
    expect((await fetch(String(body.uploadUrl), { method: 'PUT', body: '# Hi\n' })).status).toBe(200)
    const poll = async () => (await timed(`/api/v1/conversions/${body.jobId}`)).body.status
    await expect.poll(poll, { timeout: 20_000 }).toBe('done')
  }

  const expectRefusedInTime = ({
    status,
    body,
    retryAfter,
    milliseconds,
  }: Awaited<ReturnType<typeof timed>>) => {
    expect(status).toBe(503)
    expect(body.code).toBe('unavailable')
    expect(retryAfter).toMatch(/^[1-9]\d*$/)
    expect(milliseconds).toBeLessThan(withinMilliseconds)
  }
  const expectAllRefusedInTime = async () => {
    const calls = await Promise.all([
      timed('/api/v1/usage'),
      timed('/api/v1/conversions', order),
      timed('/api/v1/conversions/01234567-89ab-4def-8123-456789abcdef'),
    ])
    for (const call of calls) expectRefusedInTime(call)
    // The process itself is healthy, and reports that.
    expect((await timed('/healthz')).status).toBe(200)
    expect((await timed('/api/v1/formats')).status).toBe(200)
  }
  const expectNotReady = async () => expectRefusedInTime(await timed('/readyz'))
  const pids = () => [api.child.pid as number, worker.pid as number]

  test.each([
    ['is stopped', () => database.stop(), () => database.start()],
    ['crashes', () => database.crash(), () => database.start()],
    ['says nothing any more', async () => database.silence(true), async () => database.silence(false)],
  ] as const)(
    'database %s: 503 in time, no process ends, all is well soon after',
    async (_what, leave, comeBack) => {
      await convert()
      const before = pids()
      await leave()
      try {
        await expectAllRefusedInTime()
        await delay(3000)
        await expectAllRefusedInTime()
        await expectNotReady()
      } finally {
        await comeBack()
      }
      expect(await untilHealthy()).toBeLessThan(healthyAgainMilliseconds)
      expect(pids()).toEqual(before)
      for (const pid of before) expect(isAlive(pid)).toBe(true)
      await convert()
    },
  )

  test.each([
    ['refuses', () => gate.close(), () => gate.open()],
    ['says nothing any more', async () => gate.silence(true), async () => gate.silence(false)],
  ] as const)('storage %s: not ready, but jobs are read and taken', async (_what, leave, comeBack) => {
    const { body } = await timed('/api/v1/conversions', order)
    await leave()
    await delay(readinessKeptMilliseconds)
    const [ready, poll, submit] = await Promise.all([
      timed('/readyz'),
      timed(`/api/v1/conversions/${body.jobId}`),
      timed('/api/v1/conversions', order),
    ]).finally(comeBack)
    expect([ready.status, poll.status, submit.status]).toEqual([503, 200, 201])
    expect(poll.body.status).toBe('queued')
    for (const { milliseconds } of [ready, poll, submit])
      expect(milliseconds).toBeLessThan(withinMilliseconds)
    expect(await untilHealthy()).toBeLessThan(healthyAgainMilliseconds)
    await convert()
  })

  test('database is away when they start wait for it, and do not end', async () => {
    await database.stop()
    const late = startWorkerProcess(join(root, 'late'), ofWorkers, '--lanes', 'document')
    await delay(4000)
    await database.start()
    const child = await late
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    expect(code).toBe(0)
    await untilHealthy()
  })
})
