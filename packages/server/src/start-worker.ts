import { join } from 'node:path'
import { type Lane, lanes } from './catalog/pairs.ts'
import { createAbandon } from './conversions/abandon.ts'
import { openJobFolders } from './conversions/job-folder.ts'
import { createLookForUploads } from './conversions/look-for-uploads.ts'
import { createNoticeUpload } from './conversions/notice-upload.ts'
import { type Repeated, repeat } from './conversions/repeat.ts'
import { createRunner } from './conversions/run.ts'
import { createSweeper } from './conversions/sweep.ts'
import { startLanes } from './conversions/work-lanes.ts'
import type { Engine } from './engines/engine.ts'
import type { Shared } from './open-shared.ts'
import type { OpenSandbox } from './sandbox/open-sandbox.ts'

export interface WorkerParts extends Shared {
  openSandbox: OpenSandbox
  engines: readonly Engine[]
  lanes?: readonly Lane[]
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
  const notice = createNoticeUpload({ database, queue, storage })
  const rounds: Repeated[] = [
    { name: 'expired', everySeconds: config.sweepIntervalSeconds, work: sweeper.sweepExpired },
    // The full comparison reads the name of every object.
    { name: 'strays', everySeconds: config.sweepIntervalSeconds * 10, work: sweeper.sweepStrays },
  ]
  if (!storage.tellsOfUploads) {
    const work = createLookForUploads({ database, storage, notice })
    rounds.push({ name: 'uploads', everySeconds: 1, work })
  }
  const repeating = rounds.map((round) => repeat(database, round, log))
  return {
    async drain() {
      await Promise.all([worker.drain(config.drainSeconds), ...repeating.map((each) => each.stop())])
    },
  }
}
