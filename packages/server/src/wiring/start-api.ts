import { mkdir } from 'node:fs/promises'
import { lanes } from '@kiln/converter/catalog'
import type { faultOfStyle } from '@kiln/converter/house-style'
import { ConversionFailed, createWorkerPool } from '@kiln/converter/worker-pool'
import type { FastifyInstance } from 'fastify'
import { memoize, ttlCache } from '../caches.ts'
import type { CompatAppParts } from '../compat/compat-app.ts'
import { createJobs } from '../compat/convert.ts'
import type { Config } from '../config/config.ts'
import type { Console, ConsoleParts } from '../console/index.ts'
import { type ProcessFacts, slotsIn, unhealthyEngines } from '../console/process-facts.ts'
import { createAcceptUpload } from '../conversions/accept-upload.ts'
import { createDelete } from '../conversions/delete.ts'
import { createEndJob } from '../conversions/end-job.ts'
import { createGrantFiles } from '../conversions/grant-files.ts'
import { createNoticeUpload } from '../conversions/notice-upload.ts'
import { createRead } from '../conversions/read.ts'
import { createSubmit } from '../conversions/submit.ts'
import { createSettlements } from '../conversions/wait-for-end.ts'
import type { Database } from '../db/connect.ts'
import { findKeyAccount } from '../db/keys.ts'
import { listProcesses } from '../db/processes.ts'
import { readHoldings, readLanes, readMonth } from '../db/reports/current-state.ts'
import { createAdmission } from '../http/admission.ts'
import { createApp } from '../http/app.ts'
import type { JobFilesAccess } from '../http/job-files.ts'
import type { LaneStatus } from '../http/pages/public-page.ts'
import type { Storage } from '../storage/storage.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { addSharedGauges, type SharedFigures } from '../telemetry/shared-gauges.ts'
import { noTracing, type Tracing } from '../telemetry/tracing.ts'
import type { WebApp, WebAppParts } from '../web/index.ts'
import { startDelivering } from '../webhooks/deliver.ts'
import { createSend } from '../webhooks/send.ts'
import { checkUrl, createWebhooks, webhookKeyPurpose } from '../webhooks/webhooks.ts'
import type { OpenStorage, Shared } from './open-parts.ts'

export interface ApiParts
  extends Omit<Shared, 'metrics' | 'tracing' | 'eventLoop'>,
    Pick<OpenStorage, 'storage' | 'local'>,
    Partial<Pick<OpenStorage, 'presign'>> {
  metrics?: Metrics
  tracing?: Tracing
  /** Shown by /healthz. */
  facts: Record<string, unknown>
}

export interface Api {
  app: FastifyInstance
  /** The APIs of other services; null when none is enabled. */
  compat: FastifyInstance | null
  /** From now on /readyz fails; requests are still answered. */
  announceStop(): void
  close(): Promise<void>
}

/** Wires the HTTP side and listens. */
export async function startApi(parts: ApiParts): Promise<Api> {
  const { config, database, storage, pairs, log, load } = parts
  const { metrics = createMetrics(), tracing = noTracing } = parts
  const workers = openApiWorkers()
  let stopping = false
  const settlements = createSettlements(parts.listener)
  const jobSteps = createJobSteps({ ...parts, tracing })
  const { submit } = jobSteps.submits
  const webhookKey = storage.keyFor(webhookKeyPurpose)
  const webhooks = createWebhooks({ database, key: webhookKey, allowPrivate: config.webhooksToPrivate })
  const state = createServiceState(database, storage)
  const faults = async () => (stopping ? ['The service is stopping.'] : state.faults())
  const { faultOfStyle } = workers
  const pages: PageParts = { ...parts, ...jobSteps, faults, webhooks, faultOfStyle }
  addSharedGauges(metrics, state.figures)
  if (config.operatorPassword) {
    const { adoptPassword } = await import('../console/operator.ts')
    await adoptPassword(database, config.operatorPassword)
  }
  const admission = createAdmission({
    ...config,
    submit,
    load,
    metrics,
    tracing,
    findKeyAccount: (keyHash) => findKeyAccount(database, keyHash),
  })
  const app = await createApp({
    ...config,
    ...jobSteps,
    pairs,
    log,
    metrics,
    tracing,
    admission,
    settlements,
    storage,
    readLaneStates: state.lanes,
    workers: workers.pool,
    isStopping: () => stopping,
    health: { facts: () => parts.facts, faults },
    console: memoize(() => loadConsole(pages)),
    webApp: memoize(() => loadWebApp(pages)),
    uploadOrigin: storage.uploadOrigin,
    jobFiles: jobFilesOf(parts),
  })
  // Workers do not deliver webhooks: they need no internet access.
  const delivering = startDelivering({
    database,
    listener: parts.listener,
    metrics,
    log,
    key: webhookKey,
    send: createSend({ allowPrivate: config.webhooksToPrivate }),
  })
  const { port, host, listeningDescriptor } = config
  // Fastify passes unknown options on to Node.
  const place = listeningDescriptor === null ? { port } : { fd: listeningDescriptor }
  await app.listen({ ...place, host })
  const compat = await startCompat(config, {
    log,
    metrics,
    faults,
    keys: admission.keys,
    cpuBudget: admission.cpuBudget,
    workers: workers.pool,
    isStopping: () => stopping,
    jobs: createJobs({ ...jobSteps, settlements, storage, submitJob: admission.submitJob }),
  })
  return {
    app,
    compat,
    announceStop() {
      stopping = true
      settlements.release()
    },
    async close() {
      await Promise.all([closeWithin(config.drainSeconds, compat ? [app, compat] : [app]), delivering.stop()])
      await jobSteps.submits.stop()
      await workers.close()
    },
  }
}

/** Null when workers cannot request the files of their jobs from this API. */
function jobFilesOf({ config, database, storage, presign }: ApiParts): JobFilesAccess | null {
  if (config.workerToken === null || !presign) return null
  return {
    token: config.workerToken,
    grantFiles: createGrantFiles({ database, presign, keyFor: storage.keyFor }),
  }
}

/** Lets running requests finish within this time, then closes their connections. */
async function closeWithin(seconds: number, apps: readonly FastifyInstance[]): Promise<void> {
  const cut = setTimeout(() => {
    for (const { server } of apps) server.closeAllConnections()
  }, seconds * 1000)
  await Promise.all(apps.map((app) => app.close())).finally(() => clearTimeout(cut))
}

/** For a whole file, which takes longer to send than an event. */
const webhookMilliseconds = 120_000

/** Listens for the APIs of other services, if any is enabled. Their code is loaded only then. */
async function startCompat(
  config: Config,
  parts: Omit<CompatAppParts, 'apis' | 'dataDir' | 'defaultKey' | 'maxBytes' | 'trustedProxies' | 'webhooks'>,
): Promise<FastifyInstance | null> {
  if (config.compat.length === 0) return null
  const { createCompatApp } = await import('../compat/compat-app.ts')
  const { dataDir, trustedProxies, host, compatPort: port, webhooksToPrivate: allowPrivate } = config
  const app = await createCompatApp({
    ...parts,
    dataDir,
    trustedProxies,
    apis: config.compat,
    defaultKey: config.compatKey,
    maxBytes: config.compatMaxBytes,
    webhooks: {
      send: createSend({ allowPrivate, withinMilliseconds: webhookMilliseconds }),
      checkUrl: (url) => checkUrl(url, allowPrivate),
    },
  })
  await app.listen({ port, host })
  parts.log.info({ port, apis: config.compat }, 'compatibility APIs are ready')
  return app
}

type JobStepsParts = Pick<Shared, 'config' | 'database' | 'queue' | 'pairs' | 'log'> &
  Pick<OpenStorage, 'storage' | 'local'> & { tracing: Tracing }

/** The steps of a job that an API process performs: submit, upload, read and delete. */
function createJobSteps({ config, local, ...parts }: JobStepsParts) {
  const endJob = createEndJob({ ...config, ...parts })
  const noticeUpload = createNoticeUpload({ ...parts, endJob })
  return {
    noticeUpload,
    submits: createSubmit({ ...config, ...parts, endJob }),
    read: createRead({ ...config, ...parts, noticeUpload }),
    deleteConversion: createDelete({ ...parts, endJob }),
    /** Null when clients upload to a bucket. */
    acceptUpload: local && createAcceptUpload({ ...parts, reserve: local.reserve }),
  }
}

// The console and the web app are imported with the first request to them: most processes never need their code.

type PageParts = { config: Config } & Omit<
  ConsoleParts & WebAppParts,
  Exclude<keyof Config, 'pairs'> | 'scratchFolder' | 'retention'
>

async function loadConsole(parts: PageParts): Promise<Console> {
  const { config } = parts
  const { createConsole } = await import('../console/index.ts')
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 })
  return createConsole({
    ...config,
    ...parts,
    scratchFolder: config.dataDir,
    retention: {
      outputSeconds: config.outputTtlSeconds,
      recordSeconds: config.recordTtlSeconds,
      uploadSeconds: config.uploadTtlSeconds,
    },
  })
}

async function loadWebApp(parts: PageParts): Promise<WebApp> {
  const { createWebApp } = await import('../web/index.ts')
  return createWebApp({ ...parts.config, ...parts })
}

// The worker pool of an API process, for bodies and outputs whose size a caller controls. Threads start with the first
// call that needs one.

const limits = { baseSeconds: 5, memoryMegabytes: 512 }

const styleModule = import.meta.resolve('@kiln/converter/house-style')

function openApiWorkers() {
  const pool = createWorkerPool(limits)
  const checkStyle: typeof faultOfStyle = (files) => {
    const bytes = (files.css?.length ?? 0) + (files.reference?.length ?? 0)
    const { signal } = new AbortController()
    const run = pool.forFile({ bytes, owner: 'operator', signal })
    return run<typeof faultOfStyle>(styleModule, 'faultOfStyle', files).catch((error: unknown) => {
      if (error instanceof ConversionFailed) return error.message
      throw error
    })
  }
  return { pool, faultOfStyle: checkStyle, close: pool.close }
}

// The state of the whole service, for readiness, the status page and the shared metrics.

function createServiceState(database: Database, storage: Pick<Storage, 'check'>) {
  const db = database.kysely
  const processes = () => listProcesses<ProcessFacts>(database)
  return {
    // The first two are public and can be requested at any rate, so they are cached.
    /** Why the service cannot accept files, in sentences. */
    faults: ttlCache(1000, async () => {
      const [running, stored] = await Promise.allSettled([processes(), storage.check()])
      return [
        ...(running.status === 'rejected' ? ['The database cannot be reached.'] : []),
        ...(stored.status === 'rejected' ? ['The storage cannot be written.'] : []),
        ...(running.status === 'fulfilled' ? unhealthyEngines(running.value) : []),
      ]
    }),
    lanes: ttlCache(1000, async (): Promise<LaneStatus[]> => {
      const [found, running] = await Promise.all([readLanes(db, lanes), processes()])
      return found.map((lane) => ({ ...lane, slots: slotsIn(lane.lane, running) }))
    }),
    async figures(): Promise<SharedFigures> {
      const [found, holdings, month, running] = await Promise.all([
        readLanes(db, lanes),
        readHoldings(db),
        readMonth(db),
        processes(),
      ])
      return { lanes: found, holdings, month, processes: running }
    },
  }
}
