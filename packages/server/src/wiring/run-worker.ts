import { parseArgs } from 'node:util'
import { type Lane, lanes } from '@kiln/converter/catalog'
import { ConfigError, readConfig } from '../config/config.ts'
import { createGrantedStorage } from '../conversions/granted-storage.ts'
import { createLog } from '../log/log.ts'
import { startHeartbeat } from './heartbeat.ts'
import { openConverterFor } from './open-converter.ts'
import { openDatabase } from './open-database.ts'
import { openShared } from './open-shared.ts'
import { requireForWorker } from './require-shared.ts'
import { serveMetrics } from './serve-metrics.ts'
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
    const storage = createGrantedStorage(access)
    stack.defer(async () => storage.close())
    const worker = await startWorker({ ...shared, storage, converter, lanes: served })
    stack.defer(worker.drain)
    const parts = { ...shared, dataDir: config.dataDir, worker: { ...worker, converter } }
    stack.defer(startHeartbeat({ ...parts, kind: 'worker' }).stop)
    if (config.metricsPort) stack.defer(await serveMetrics({ ...shared, port: config.metricsPort }))
    onStopSignal({ underNpm: config.underNpm, log, stack })
    log.info({ lanes: served, sandbox: converter.sandbox.level }, 'worker is ready')
  })
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
