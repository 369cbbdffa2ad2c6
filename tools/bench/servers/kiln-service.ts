import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Engine, type EngineRun, openConverter } from '@kiln/converter'
import { pairs } from '@kiln/converter/catalog'
import { parseConfig } from '../../../packages/server/src/config/config.ts'
import { watchAccountLoad } from '../../../packages/server/src/conversions/account-load.ts'
import { createDirectStorage } from '../../../packages/server/src/conversions/job-storage.ts'
import { settledChannel } from '../../../packages/server/src/conversions/wait-for-end.ts'
import { connectDatabase } from '../../../packages/server/src/db/connect.ts'
import { openListener } from '../../../packages/server/src/db/listen.ts'
import { createLog } from '../../../packages/server/src/log/log.ts'
import { openPgBossQueue, wakeChannel } from '../../../packages/server/src/queue/pg-boss.ts'
import { openLocalStorage } from '../../../packages/server/src/storage/local/local-storage.ts'
import { watchEventLoop } from '../../../packages/server/src/telemetry/event-loop.ts'
import { createMetrics } from '../../../packages/server/src/telemetry/metrics.ts'
import { noTracing } from '../../../packages/server/src/telemetry/tracing.ts'
import { startApi } from '../../../packages/server/src/wiring/start-api.ts'
import { startMaintenance } from '../../../packages/server/src/wiring/start-maintenance.ts'
import { startWorker } from '../../../packages/server/src/wiring/start-worker.ts'
import { answerParent } from '../child.ts'
import { monotonicMs, wallClockOffsetMs } from '../statistics.ts'
import { unlimited } from './settings.ts'

// API and worker in one process, wired like `npm start`, with an engine that records when it was called. On request it
// also starts a minimal program in the sandbox, which reports the time at which it ran.

export interface KilnServiceSettings {
  databaseUrl: string
  folder: string
  port: number
}

export interface EngineStart {
  calledAt: number
  /** Time at which the program in the sandbox ran. */
  programAt: number | null
}

answerParent<KilnServiceSettings>(async ({ databaseUrl, folder, port }) => {
  const config = parseConfig(unlimited(databaseUrl, folder, port))
  const log = createLog('warn', false)
  const database = connectDatabase(databaseUrl, config.databaseConnections)
  const storage = await openLocalStorage(join(folder, 'files'), config.publicUrl)
  const listener = await openListener(databaseUrl, [wakeChannel, settledChannel])
  const queue = await openPgBossQueue({ database, listener, onError: () => {} })
  let starts: EngineStart[] = []
  let startsProgram = false
  const convert: Engine['convert'] = async (run) => {
    const start: EngineStart = { calledAt: monotonicMs(), programAt: null }
    starts.push(start)
    if (startsProgram) start.programAt = await tellTheTime(run)
    await writeFile(join(run.outFolder, 'output.html'), page)
    return 'output.html'
  }
  const own = pairs.filter(({ engine }) => engine === 'pandoc')
  const converter = await openConverter({
    log,
    scratch: join(folder, 'work'),
    cache: join(folder, 'cache'),
    pairs: own,
    engines: [() => ({ name: 'pandoc', budget, convert, version: async () => 'bench' })],
  })
  const metrics = createMetrics()
  const telemetry = { metrics, tracing: noTracing, eventLoop: watchEventLoop({ log, metrics }) }
  const load = await watchAccountLoad(database, config.maxWaitingJobs)
  const kept = { database, listener, queue, storage, local: storage, load }
  const parts = { config, ...kept, ...telemetry, pairs: own, log }
  const worker = await startWorker({ ...parts, storage: createDirectStorage(storage), converter })
  const maintenance = startMaintenance(parts)
  const api = await startApi({ ...parts, facts: {} })

  return {
    handlers: {
      takeStarts() {
        const taken = starts
        starts = []
        return taken
      },
      setStartsProgram(yes: boolean) {
        startsProgram = yes
      },
    },
    async close() {
      await api.close()
      await load.stop()
      await worker.drain()
      await maintenance.stop()
      await queue.close()
      await listener.close()
      await converter.close()
      await database.close()
    },
  }
})

const budget = { seconds: 60, secondsPerMegabyte: 60 }

const page =
  '<!doctype html><html><head><title>A page</title></head><body><p>A page with words.</p></body></html>\n'

async function tellTheTime({ sandbox, inFolder, outFolder, signal }: EngineRun): Promise<number> {
  const result = await sandbox.run({
    program: '/usr/bin/date',
    args: ['+%s%N'],
    inFolder,
    outFolder,
    signal,
    limits: {
      wallSeconds: 10,
      cpuSeconds: 10,
      memoryBytes: 2 ** 30,
      processes: 16,
      fileBytes: 2 ** 20,
      diskBytes: 2 ** 20,
      logBytes: 1024,
    },
  })
  if (result.exitCode !== 0) throw new Error(`date ended with ${result.exitCode}: ${result.untrustedStderr}`)
  return Number(BigInt(result.untrustedStdout.trim()) / 1000n) / 1000 - wallClockOffsetMs()
}
