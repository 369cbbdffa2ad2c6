import type { Converter } from '@kiln/converter'
import { type Lane, lanes } from '@kiln/converter/catalog'
import { createEndJob } from '../conversions/end-job.ts'
import { type EngineHealth, watchEngineHealth } from '../conversions/engine-health.ts'
import { createFailedAttempts } from '../conversions/failed-attempts.ts'
import type { JobStorage } from '../conversions/job-storage.ts'
import { createRunner } from '../conversions/run.ts'
import { settledChannel } from '../conversions/wait-for-end.ts'
import { type LanesWorker, startLanes } from '../conversions/work-lanes.ts'
import type { Shared } from './open-parts.ts'

export interface WorkerParts extends Shared {
  storage: JobStorage
  converter: Converter
  lanes?: readonly Lane[]
}

export interface Worker extends Pick<LanesWorker, 'load'>, Pick<EngineHealth, 'unhealthy'> {
  drain(): Promise<void>
}

// Delayed, so that it does not compete with the start.
const prepareAfterMilliseconds = 1000

/** Starts the worker: lanes, and engines in their sandbox. */
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
  return {
    load: worker.load,
    unhealthy: health.unhealthy,
    async drain() {
      clearTimeout(prepare)
      await health.stop()
      await worker.drain(config.drainSeconds)
      stopListening()
    },
  }
}
