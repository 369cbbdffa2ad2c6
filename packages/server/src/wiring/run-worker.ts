import { once } from 'node:events'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { type Lane, lanes } from '@kiln/converter/catalog'
import { type Config, ConfigError, readConfig, requireForWorker } from '../config/config.ts'
import { createGrantedStorage, type GrantedStorageParts } from '../conversions/granted-storage.ts'
import { createDirectStorage, type JobStorage } from '../conversions/job-storage.ts'
import { toAnswer } from '../http/errors.ts'
import { requireAccess } from '../http/monitoring.ts'
import { createLog, type Log } from '../log/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { startHeartbeat } from './heartbeat.ts'
import { openConverterFor, openDatabase, openShared, openStorage } from './open-parts.ts'
import { startWorker } from './start-worker.ts'
import { onStopSignal, runWithStack } from './stop-signals.ts'

export async function run(): Promise<void> {
  const config = readConfig()
  const access = requireForWorker(config)
  const served = readLanes()
  const log = createLog(config.logLevel, process.stdout.isTTY === true)
  await runWithStack(async (stack) => {
    const converter = await openConverterFor(config, log, served)
    stack.defer(converter.close)
    const { database, close } = await openDatabase(config, log)
    stack.defer(close)
    const shared = await openShared({ kind: 'worker', config, database, log, stack })
    const { storage, close: closeStorage } = await openJobStorage(config, access, log)
    stack.defer(async () => closeStorage())
    const worker = await startWorker({ ...shared, storage, converter, lanes: served })
    stack.defer(worker.drain)
    const parts = { ...shared, dataDir: config.dataDir, worker: { ...worker, converter } }
    stack.defer(startHeartbeat({ ...parts, kind: 'worker' }).stop)
    if (config.metricsPort) stack.defer(await serveMetrics(config, shared.metrics, config.metricsPort))
    onStopSignal({ underNpm: config.underNpm, log, stack })
    log.info({ lanes: served, sandbox: converter.sandbox.level }, 'worker is ready')
  })
}

async function openJobStorage(
  config: Config,
  access: GrantedStorageParts | 'bucket',
  log: Log,
): Promise<{ storage: JobStorage; close(): void }> {
  if (access !== 'bucket') {
    if (config.s3) log.warn('This worker uses links of the API. Remove KILN_S3_* from its settings.')
    const storage = createGrantedStorage(access)
    return { storage, close: storage.close }
  }
  log.warn(
    'This worker holds credentials of the whole bucket. Replace KILN_S3_* by KILN_WORKER_API_URL and KILN_WORKER_TOKEN.',
  )
  const { storage, close } = await openStorage(config)
  return { storage: createDirectStorage(storage), close }
}

function readLanes(): readonly Lane[] {
  const { values } = parseArgs({ options: { lanes: { type: 'string' } } })
  if (values.lanes === undefined) return lanes
  const names = values.lanes.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !lanes.includes(name as Lane))
  if (unknown.length > 0)
    throw new ConfigError(`--lanes has no ${unknown.join(', ')}; there are ${lanes.join(', ')}.`)
  return names as Lane[]
}

/**
 * A worker has no HTTP server; with KILN_METRICS_PORT it serves /metrics, under the same conditions as the API, and
 * /healthz. Returns the function that stops it.
 */
export async function serveMetrics(
  config: Config,
  metrics: Metrics,
  port: number,
): Promise<() => Promise<void>> {
  const access = { token: config.metricsToken, publicUrl: config.publicUrl }
  const server = createServer(async (request, response) => {
    try {
      const path = request.url?.split('?', 1)[0]
      if (path === '/healthz') return response.end('{"status":"ok"}')
      if (path !== '/metrics') return response.writeHead(404).end()
      requireAccess(request, access)
      const text = await metrics.render()
      return response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
    } catch (error) {
      const { status, body, headers } = toAnswer(error)
      return response
        .writeHead(status, { ...headers, 'content-type': 'application/json' })
        .end(JSON.stringify(body))
    }
  })
  const { host, listeningDescriptor } = config
  server.listen(listeningDescriptor === null ? { port, host } : { fd: listeningDescriptor })
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}
