import { findBrokenPromises, readConfig } from './config.ts'
import { createLog } from './log.ts'
import { startHeartbeat } from './wiring/heartbeat.ts'
import { openDatabase } from './wiring/open-database.ts'
import { openShared } from './wiring/open-shared.ts'
import { requireShared } from './wiring/require-shared.ts'
import { startApi } from './wiring/start-api.ts'
import { onStopSignal, reportAndExit, runWithStack } from './wiring/stop-signals.ts'

// `npm run api`: the HTTP side alone, started as often as needed, on a shared database and bucket.

async function main(): Promise<void> {
  const config = readConfig()
  requireShared(config, 'api')
  const log = createLog(config.logLevel, process.stdout.isTTY === true)
  for (const warning of findBrokenPromises(config)) log.warn(warning)
  await runWithStack(async (stack) => {
    const opened = await openDatabase(config, log)
    stack.defer(opened.close)
    const shared = await openShared({
      kind: 'api',
      config,
      database: opened.database,
      log,
      supervise: false,
      stack,
    })
    const api = await startApi({ ...shared, facts: { process: 'api' } })
    stack.defer(api.close)
    stack.defer(startHeartbeat({ ...shared, kind: 'api', dataDir: config.dataDir }).stop)
    // A balancer asks every few seconds; until it has heard, this process still answers.
    const noticeSeconds = config.stopNoticeSeconds ?? 3
    onStopSignal({ underNpm: config.underNpm, log, stack, announce: api.announceStop, noticeSeconds })
    log.info({ address: `${config.publicUrl}${config.prefix}` }, 'api is ready')
  })
}

main().catch(reportAndExit)
