import type { Converter } from '@kiln/converter'
import { type Lane, lanes } from '@kiln/converter/catalog'
import { createEndJob } from '../conversions/end-job.ts'
import { type EngineHealth, watchEngineHealth } from '../conversions/engine-health.ts'
import { createFailedAttempts } from '../conversions/failed-attempts.ts'
import { createLookForUploads } from '../conversions/look-for-uploads.ts'
import { createNoticeUpload } from '../conversions/notice-upload.ts'
import { type Repeated, repeat } from '../conversions/repeat.ts'
import { createRunner } from '../conversions/run.ts'
import { createSweeper } from '../conversions/sweep.ts'
import { settledChannel } from '../conversions/wait-for-end.ts'
import { type LanesWorker, startLanes } from '../conversions/work-lanes.ts'
import { deleteStaleProcesses } from '../db/processes.ts'
import { rollUp } from '../db/reports/roll-up.ts'
import type { Shared } from './open-shared.ts'

export interface WorkerParts extends Shared {
  converter: Converter
  lanes?: readonly Lane[]
}

export interface Worker extends Pick<LanesWorker, 'load'>, Pick<EngineHealth, 'unhealthy'> {
  drain(): Promise<void>
}

// The start itself comes first.
const prepareAfterMilliseconds = 1000

/** Wires the working side: lanes, engines in their sandbox, and the rounds of sweeping and counting. */
export async function startWorker(parts: WorkerParts): Promise<Worker> {
  const { config, database, storage, queue, metrics, log } = parts
  const endJob = createEndJob({ database, storage, queue, outputTtlSeconds: config.outputTtlSeconds })
  const served = parts.lanes ?? lanes
  const enginesOf = (lane: Lane) => [
    ...new Set(parts.pairs.filter((pair) => pair.lane === lane).map(({ engine }) => engine)),
  ]
  const health = watchEngineHealth({ engines: served.flatMap(enginesOf), converter: parts.converter, log })
  const runner = createRunner({ ...parts, endJob, health })
  const worker = startLanes({
    queue,
    runner,
    failedAttempts: createFailedAttempts({ database, endJob, metrics, dataDir: config.dataDir }),
    slots: config.slots,
    lanes: served,
    canServe: (lane) => enginesOf(lane).some(health.isHealthy),
    load: parts.load,
    log,
  })
  metrics.watchSlots(worker.load)
  metrics.watchWaiting(parts.converter.waiting)
  parts.eventLoop.watchJobs(worker.runningJobs)
  const prepare = setTimeout(() => void parts.converter.prepare(), prepareAfterMilliseconds)
  const stopListening = parts.listener.on(settledChannel, worker.release)
  const sweeper = createSweeper({ database, storage, endJob, recordTtlSeconds: config.recordTtlSeconds, log })
  const notice = createNoticeUpload({ database, queue, storage, endJob })
  const rounds: Repeated[] = [
    { name: 'expired', everySeconds: config.sweepIntervalSeconds, work: sweeper.sweepExpired },
    // The full comparison reads the name of every object.
    { name: 'strays', everySeconds: config.sweepIntervalSeconds * 10, work: sweeper.sweepStrays },
    { name: 'counts', everySeconds: 3, work: () => countEverything(parts) },
    { name: 'processes', everySeconds: 600, work: () => deleteStaleProcesses(database.kysely) },
  ]
  if (!storage.tellsOfUploads) {
    const work = createLookForUploads({ database, storage, notice })
    rounds.push({ name: 'uploads', everySeconds: 1, work })
  }
  const repeating = rounds.map((round) => repeat(database, round, log))
  return {
    load: worker.load,
    unhealthy: health.unhealthy,
    async drain() {
      clearTimeout(prepare)
      await health.stop()
      await Promise.all([worker.drain(config.drainSeconds), ...repeating.map((each) => each.stop())])
      stopListening()
    },
  }
}

/** Counts until the present is reached; a table with a past takes several steps. */
async function countEverything({ database }: Shared): Promise<void> {
  while (await rollUp(database.kysely));
}
