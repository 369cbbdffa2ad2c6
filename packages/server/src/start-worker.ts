import { join } from 'node:path'
import { type Lane, lanes, type Pair } from './catalog/pairs.ts'
import type { Config } from './config.ts'
import { createAbandon } from './conversions/abandon.ts'
import { openJobFolders } from './conversions/job-folder.ts'
import { createRunner } from './conversions/run.ts'
import { createSweeper, startSweeping } from './conversions/sweep.ts'
import { startLanes } from './conversions/work-lanes.ts'
import type { Database } from './db/connect.ts'
import type { Engine } from './engines/engine.ts'
import type { Log } from './log.ts'
import type { Queue } from './queue/queue.ts'
import type { OpenSandbox } from './sandbox/open-sandbox.ts'
import type { Storage } from './storage/storage.ts'

export interface WorkerParts {
  config: Config
  database: Database
  queue: Queue
  storage: Storage
  openSandbox: OpenSandbox
  pairs: readonly Pair[]
  engines: readonly Engine[]
  lanes?: readonly Lane[]
  log: Log
}

export interface Worker {
  drain(): Promise<void>
}

/** Wires the working side: lanes, engines in their box, and the sweeper. */
export async function startWorker(parts: WorkerParts): Promise<Worker> {
  const { config, database, storage, queue, log } = parts
  const folders = await openJobFolders(await parts.openSandbox.scratchRoot(join(config.dataDir, 'work')))
  const runner = createRunner({
    ...parts,
    sandbox: parts.openSandbox.sandbox,
    folders,
    outputTtlSeconds: config.outputTtlSeconds,
  })
  const abandon = createAbandon({ database, storage, queue })
  const worker = startLanes({ queue, runner, abandon, slots: config.slots, lanes: parts.lanes ?? lanes, log })
  const sweeper = createSweeper({ database, storage, recordTtlSeconds: config.recordTtlSeconds, log })
  const sweeping = startSweeping(sweeper, config.sweepIntervalSeconds, log)
  return {
    async drain() {
      await Promise.all([worker.drain(config.drainSeconds), sweeping.stop()])
    },
  }
}
