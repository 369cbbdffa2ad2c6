import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Converter, type Engine, openConverter } from '@kiln/converter'
import { internalPairs, lanes, type Pair, pairs } from '@kiln/converter/catalog'
import { freePort } from '@kiln/test-support/free-port.ts'
import { afterAll, beforeAll } from 'vitest'
import { type Config, parseConfig } from '../../src/config/config.ts'
import { type AccountLoadWatch, watchAccountLoad } from '../../src/conversions/account-load.ts'
import { createEndJob } from '../../src/conversions/end-job.ts'
import { type EngineHealth, watchEngineHealth } from '../../src/conversions/engine-health.ts'
import { createFailedAttempts } from '../../src/conversions/failed-attempts.ts'
import { createDirectStorage } from '../../src/conversions/job-storage.ts'
import { startReclaiming } from '../../src/conversions/periodic-tasks.ts'
import { createRunner } from '../../src/conversions/run.ts'
import { createSweeper, type Sweeper } from '../../src/conversions/sweep.ts'
import { settledChannel } from '../../src/conversions/wait-for-end.ts'
import { type LanesWorker, startLanes } from '../../src/conversions/work-lanes.ts'
import type { Database } from '../../src/db/connect.ts'
import { type Listener, openListener } from '../../src/db/listen.ts'
import { webhookChannel } from '../../src/db/webhooks.ts'
import { createLog } from '../../src/log/log.ts'
import { openPgBossQueue, wakeChannel } from '../../src/queue/pg-boss.ts'
import type { Queue } from '../../src/queue/queue.ts'
import { type LocalStorage, openLocalStorage } from '../../src/storage/local/local-storage.ts'
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts'
import { noTracing, type Tracing } from '../../src/telemetry/tracing.ts'
import { type Api, startApi } from '../../src/wiring/start-api.ts'
import { type Customer, createCustomer, useDatabase } from './database.ts'

// The service in the test's own process: real database, queue, storage and HTTP. Tests of the worker pass a test engine
// that behaves as they need (breaks, hangs, waits).

export interface TestService {
  database: Database
  queue: Queue
  storage: LocalStorage
  listener: Listener
  sweeper: Sweeper
  folder: string
  base: string
  /** The HTTP server, for tests that have to wait for its events. */
  server: Server
  /** The metrics of API and workers together, as under `npm start`. */
  metrics: Metrics
  customer: Customer
  call(path: string, init?: RequestInit & { key?: string | null }): Promise<Response>
  /** Submits and uploads; gives the job's id. */
  convert(text: string, pair?: string): Promise<string>
  poll(jobId: string): Promise<Record<string, unknown>>
  ended(jobId: string): Promise<Record<string, unknown>>
  /** Free conversions that the account still has this month. */
  freeJobs(key?: string): Promise<number>
  startWorker(
    convert: Engine['convert'],
    failsTooLong?: (accountId: string) => boolean,
  ): LanesWorker & { health: EngineHealth; converter: Promise<Converter> }
  filesIn(kind: 'in' | 'out' | 'part'): Promise<string[]>
  /** Every route, as `METHOD /path/:parameter`. */
  routes(): string[]
}

const log = createLog('silent', false)
const budget = { seconds: 60, secondsPerMegabyte: 60 }

export function useService(
  changes: Partial<Config> = {},
  catalogue: readonly Pair[] = pairs,
  openTracing: () => Promise<Tracing> = async () => noTracing,
): TestService {
  const context = useDatabase()
  const service = {} as TestService
  let api: Api
  let load: AccountLoadWatch
  let reclaiming: { stop(): Promise<void> }
  const workers: LanesWorker[] = []
  const watches: EngineHealth[] = []
  const converters: Promise<Converter>[] = []

  beforeAll(async () => {
    const { database } = context
    const folder = await mkdtemp(join(tmpdir(), 'kiln-service-'))
    const port = await freePort()
    // A connection that a test left open delays the end of its file by the drain time.
    const quick = { drainSeconds: 1 }
    const config = {
      ...parseConfig({ KILN_DATA_DIR: folder, KILN_PORT: String(port) }),
      ...quick,
      ...changes,
    }
    const storage = await openLocalStorage(join(folder, 'files'), config.publicUrl)
    const listener = await openListener(database.connectionString, [
      wakeChannel,
      settledChannel,
      webhookChannel,
    ])
    const metrics = createMetrics()
    const tracing = await openTracing()
    const queue = await openPgBossQueue({ database, listener, onError: () => {} })
    load = await watchAccountLoad(database, config.maxWaitingJobs)
    api = await startApi({
      config,
      load,
      database,
      listener,
      queue,
      storage,
      local: storage,
      pairs: catalogue,
      log,
      metrics,
      tracing,
      facts: {},
    })
    const endJob = createEndJob({ database, storage, queue, outputTtlSeconds: config.outputTtlSeconds })
    const failedAttempts = createFailedAttempts({ database, endJob, metrics, dataDir: folder })
    reclaiming = startReclaiming({ queue, failedAttempts, load, log })
    const base = config.publicUrl + config.prefix
    const customer = await createCustomer(database)

    const call: TestService['call'] = (path, { key = customer.key, ...init } = {}) =>
      fetch(path.startsWith('http') ? path : base + path, {
        ...init,
        headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...init.headers },
      })
    const poll: TestService['poll'] = async (jobId) =>
      (await call(`/v1/conversions/${jobId}`)).json() as never
    Object.assign(service, {
      database,
      queue,
      storage,
      listener,
      folder,
      base,
      server: api.app.server,
      metrics,
      customer,
      call,
      poll,
      sweeper: createSweeper({ database, storage, endJob, recordTtlSeconds: config.recordTtlSeconds, log }),
      async convert(text: string, pair = 'md-to-html') {
        const submitted = await call('/v1/conversions', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ pair, bytes: Buffer.byteLength(text) }),
        })
        if (submitted.status !== 201) throw new Error(`${submitted.status}: ${await submitted.text()}`)
        const { jobId, uploadUrl } = (await submitted.json()) as { jobId: string; uploadUrl: string }
        const put = await fetch(uploadUrl, { method: 'PUT', body: text })
        if (put.status !== 200) throw new Error(`PUT answered ${put.status}`)
        return jobId
      },
      async freeJobs(key?: string) {
        const answer = await call('/v1/usage', key === undefined ? {} : { key })
        return ((await answer.json()) as { freeTier: { jobsRemaining: number } }).freeTier.jobsRemaining
      },
      async ended(jobId: string) {
        for (let n = 0; n < 40; n++) {
          const answer = await call(`/v1/conversions/${jobId}`, { headers: { prefer: 'wait=2' } })
          const job = (await answer.json()) as { status: string }
          if (job.status === 'done' || job.status === 'failed') return job
        }
        throw new Error(`job ${jobId} did not end`)
      },
      startWorker(convert: Engine['convert'], failsTooLong = () => false) {
        const served = [...catalogue, ...internalPairs]
        const names = [...new Set(served.map(({ engine }) => engine))]
        const opened = openConverter({
          log,
          scratch: join(folder, 'work'),
          cache: join(folder, 'cache'),
          pairs: served,
          engines: names.map((name) => () => ({ name, budget, convert, version: async () => 'test' })),
        })
        converters.push(opened)
        const health = watchEngineHealth({
          engines: names,
          log,
          converter: {
            checkEngine: async (name) => (await opened).checkEngine(name),
            restartEngine: async (name) => (await opened).restartEngine(name),
          },
          recheckMilliseconds: 10,
        })
        watches.push(health)
        const runner = createRunner({
          database,
          storage: createDirectStorage(storage),
          log,
          metrics,
          tracing,
          endJob,
          pairs: catalogue,
          health,
          converter: { convertFile: async (request) => (await opened).convertFile(request) },
        })
        const worker = startLanes({
          queue,
          runner,
          failedAttempts,
          slots: config.slots,
          lanes,
          log,
          load: { ...load, failsTooLong },
          canServe: (lane) => catalogue.some((pair) => pair.lane === lane && health.isHealthy(pair.engine)),
        })
        listener.on(settledChannel, worker.release)
        workers.push(worker)
        return Object.assign(worker, { health, converter: opened })
      },
      filesIn: (kind: string) => readdir(join(folder, 'files', kind)),
      routes: () => routesIn(api.app.printRoutes({ commonPrefix: false })),
    } satisfies Partial<TestService>)
  })

  afterAll(async () => {
    await Promise.all(watches.map((health) => health.stop()))
    await Promise.all(workers.map((worker) => worker.drain(0)))
    await Promise.all(converters.map(async (opened) => (await opened).close()))
    await api.close()
    await reclaiming.stop()
    await load.stop()
    await service.queue.close()
    await service.listener.close()
    await rm(service.folder, { recursive: true, force: true })
  })
  return service
}

/** Fastify prints its routes as a tree of path segments, four columns for each level. */
function routesIn(tree: string): string[] {
  const segments: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', segment = '', methods = ''] = /^([│ ]*)[├└]── (\S+) \((.+)\)$/.exec(line) ?? []
    if (segment === '') return []
    segments.splice(indent.length / 4, segments.length, segment)
    return methods.split(', ').map((method) => `${method} ${segments.join('')}`)
  })
}
