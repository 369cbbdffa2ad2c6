import type { FastifyInstance } from 'fastify'
import { createJobs } from '../compat/convert.ts'
import { createAcceptUpload } from '../conversions/accept-upload.ts'
import { createDelete } from '../conversions/delete.ts'
import { createEndJob } from '../conversions/end-job.ts'
import { createNoticeUpload } from '../conversions/notice-upload.ts'
import { createRead } from '../conversions/read.ts'
import { createSubmit } from '../conversions/submit.ts'
import { createSettlements } from '../conversions/wait-for-end.ts'
import { findKeyAccount } from '../db/keys.ts'
import { createAdmission } from '../http/admission.ts'
import { createApp } from '../http/app.ts'
import { memoize } from '../memoize.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { addSharedGauges } from '../telemetry/shared-gauges.ts'
import { noTracing, type Tracing } from '../telemetry/tracing.ts'
import { startDelivering } from '../webhooks/deliver.ts'
import { createSend } from '../webhooks/send.ts'
import { createWebhooks, webhookKeyPurpose } from '../webhooks/webhooks.ts'
import { openApiWorkers } from './api-workers.ts'
import { loadConsole, loadWebApp, type PageParts } from './load-pages.ts'
import type { Shared } from './open-shared.ts'
import { createServiceState } from './service-state.ts'
import { startCompat } from './start-compat.ts'

export interface ApiParts extends Omit<Shared, 'metrics' | 'tracing' | 'eventLoop'> {
  metrics?: Metrics
  tracing?: Tracing
  /** Shown by /healthz. */
  facts: Record<string, unknown>
}

export interface Api {
  app: FastifyInstance
  /** The APIs of other services; null where none is enabled. */
  compat: FastifyInstance | null
  /** From now on /readyz says no; requests are still answered. */
  announceStop(): void
  close(): Promise<void>
}

/** Wires the HTTP side and listens. */
export async function startApi(parts: ApiParts): Promise<Api> {
  const { config, database, queue, storage, local, pairs, log, load } = parts
  const { metrics = createMetrics(), tracing = noTracing } = parts
  const workers = openApiWorkers()
  let stopping = false
  const settlements = createSettlements(parts.listener)
  const endJob = createEndJob({ database, storage, queue, outputTtlSeconds: config.outputTtlSeconds })
  const noticeUpload = createNoticeUpload({ database, queue, storage, endJob })
  const { freeJobsPerMonth, uploadTtlSeconds, prefix, publicUrl } = config
  const submits = createSubmit({
    database,
    storage,
    pairs,
    prefix,
    freeJobsPerMonth,
    uploadTtlSeconds,
    endJob,
    log,
  })
  const { submit } = submits
  const read = createRead({ database, storage, freeJobsPerMonth, noticeUpload })
  const deleteConversion = createDelete({ database, endJob })
  const acceptUpload = local && createAcceptUpload({ database, queue, reserve: local.reserve, tracing })
  const webhookKey = storage.keyFor(webhookKeyPurpose)
  const webhooks = createWebhooks({ database, key: webhookKey, allowPrivate: config.webhooksToPrivate })
  const state = createServiceState(database, storage)
  const faults = async () => (stopping ? ['The service is stopping.'] : state.faults())
  const pages: PageParts = {
    ...parts,
    submit,
    read,
    deleteConversion,
    acceptUpload,
    noticeUpload,
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
    ...{ submit, load, metrics, tracing },
    submitRatePerMinute: config.submitRatePerMinute,
    pollRatePerMinute: config.pollRatePerMinute,
    rateWindowSeconds: config.rateWindowSeconds,
    findKeyAccount: (keyHash) => findKeyAccount(database, keyHash),
  })
  const app = await createApp({
    ...{ pairs, log, metrics, tracing, admission, read, deleteConversion, settlements },
    readLaneStates: state.lanes,
    ...{ prefix, publicUrl, freeJobsPerMonth, outputTtlSeconds: config.outputTtlSeconds },
    ...{ trustedProxies: config.trustedProxies, metricsToken: config.metricsToken },
    storage,
    workers: workers.pool,
    acceptUpload,
    isStopping: () => stopping,
    health: { facts: () => parts.facts, faults },
    console: memoize(() => loadConsole(pages)),
    webApp: memoize(() => loadWebApp(pages)),
    uploadOrigin: storage.uploadOrigin,
    userHeader: config.userHeader,
    guestAccess: config.guestAccess,
    guestMaxBytes: config.guestMaxBytes,
  })
  // Here and not by workers: those need no way to the internet.
  const delivering = startDelivering({
    ...{ database, listener: parts.listener, metrics, log, key: webhookKey },
    send: createSend({ allowPrivate: config.webhooksToPrivate }),
  })
  const { port, host, listeningDescriptor } = config
  // Fastify passes on to Node what it does not know itself.
  const place = listeningDescriptor === null ? { port } : { fd: listeningDescriptor }
  await app.listen({ ...place, host })
  const compat = await startCompat({
    ...{ config, log, metrics, faults, keys: admission.keys, isStopping: () => stopping },
    jobs: createJobs({
      ...{ settlements, noticeUpload, acceptUpload, read, deleteConversion, storage },
      submitJob: admission.submitJob,
    }),
  })
  return {
    app,
    compat,
    announceStop() {
      stopping = true
      settlements.release()
    },
    async close() {
      // Requests under way may finish; after the drain time what is left is cut.
      const apps = compat ? [app, compat] : [app]
      const cut = setTimeout(() => {
        for (const each of apps) each.server.closeAllConnections()
      }, config.drainSeconds * 1000)
      const closed = Promise.all(apps.map((each) => each.close())).finally(() => clearTimeout(cut))
      await Promise.all([closed, delivering.stop()])
      await submits.stop()
      await workers.close()
    },
  }
}
