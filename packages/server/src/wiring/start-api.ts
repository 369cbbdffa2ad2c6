import type { FastifyInstance } from 'fastify'
import { createJobs } from '../compat/convert.ts'
import { createGrantFiles } from '../conversions/grant-files.ts'
import { createSettlements } from '../conversions/wait-for-end.ts'
import { findKeyAccount } from '../db/keys.ts'
import { createAdmission } from '../http/admission.ts'
import { createApp } from '../http/app.ts'
import type { JobFilesAccess } from '../http/job-files.ts'
import { memoize } from '../memoize.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { addSharedGauges } from '../telemetry/shared-gauges.ts'
import { noTracing, type Tracing } from '../telemetry/tracing.ts'
import { startDelivering } from '../webhooks/deliver.ts'
import { createSend } from '../webhooks/send.ts'
import { createWebhooks, webhookKeyPurpose } from '../webhooks/webhooks.ts'
import { openApiWorkers } from './api-workers.ts'
import { createJobSteps } from './job-steps.ts'
import { loadConsole, loadWebApp, type PageParts } from './load-pages.ts'
import type { Shared } from './open-shared.ts'
import type { OpenStorage } from './open-storage.ts'
import { createServiceState } from './service-state.ts'
import { startCompat } from './start-compat.ts'

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
  const pages: PageParts = {
    ...parts,
    ...jobSteps,
    faults,
    webhooks,
    faultOfStyle: workers.faultOfStyle,
  }
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
  const compat = await startCompat({
    config,
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
