import { findBrokenPromises, readConfig, requireForApi } from '../config/config.ts'
import { waitForDatabase } from '../db/retries.ts'
import { grantToWorkers } from '../db/worker-role.ts'
import { createLog } from '../log/log.ts'
import { startHeartbeat } from './heartbeat.ts'
import { openDatabase, openShared, openStorage, tellAway } from './open-parts.ts'
import { startApi } from './start-api.ts'
import { startMaintenance } from './start-maintenance.ts'
import { onStopSignal, runWithStack } from './stop-signals.ts'

export async function run(): Promise<void> {
  const config = readConfig()
  requireForApi(config)
  const log = createLog(config.logLevel, process.stdout.isTTY === true)
  for (const warning of findBrokenPromises(config)) log.warn(warning)
  await runWithStack(async (stack) => {
    const { database, close } = await openDatabase(config, log)
    stack.defer(close)
    const opened = await openStorage(config)
    stack.defer(opened.close)
    const shared = { ...(await openShared({ kind: 'api', config, database, log, stack })), ...opened }
    const { workerDatabaseUrl } = config
    if (workerDatabaseUrl !== null)
      await waitForDatabase(() => grantToWorkers(database.kysely, workerDatabaseUrl), tellAway(log))
    const api = await startApi({ ...shared, facts: { process: 'api' } })
    stack.defer(api.close)
    stack.defer(startMaintenance(shared).stop)
    stack.defer(startHeartbeat({ ...shared, kind: 'api', dataDir: config.dataDir }).stop)
    // Load balancers poll every few seconds; until they notice, this process still answers.
    const noticeSeconds = config.stopNoticeSeconds ?? 3
    onStopSignal({ underNpm: config.underNpm, log, stack, announce: api.announceStop, noticeSeconds })
    log.info({ address: `${config.publicUrl}${config.prefix}` }, 'api is ready')
  })
}
