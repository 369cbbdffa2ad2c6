import { parseArgs } from 'node:util'
import { type Lane, lanes } from '@kiln/converter/catalog'
import { ConfigError, readConfig } from './config.ts'
import { createLog } from './log.ts'
import { startHeartbeat } from './wiring/heartbeat.ts'
import { openConverterFor } from './wiring/open-converter.ts'
import { openDatabase } from './wiring/open-database.ts'
import { openShared } from './wiring/open-shared.ts'
import { requireShared } from './wiring/require-shared.ts'
import { serveMetrics } from './wiring/serve-metrics.ts'
import { startWorker } from './wiring/start-worker.ts'
import { onStopSignal, reportAndExit, runWithStack } from './wiring/stop-signals.ts'

// `npm run worker -- --lanes office,document`: the working side alone, started as often as needed,
// on a shared database and bucket. The data folder is scratch space of this machine.

async function main(): Promise<void> {
  const config = readConfig()
  requireShared(config, 'worker')
  const served = readLanes()
  const log = createLog(config.logLevel, process.stdout.isTTY === true)
  await runWithStack(async (stack) => {
    const converter = await openConverterFor(config, log, served)
    stack.defer(converter.close)
    const opened = await openDatabase(config, log)
    stack.defer(opened.close)
    const shared = await openShared({
      kind: 'worker',
      config,
      database: opened.database,
      log,
      supervise: true,
      stack,
    })
    const worker = await startWorker({ ...shared, converter, lanes: served })
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

main().catch(reportAndExit)
