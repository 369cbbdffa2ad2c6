import { createEndJob } from '../conversions/end-job.ts'
import { createFailedAttempts } from '../conversions/failed-attempts.ts'
import { createNoticeUpload, createPollUploads } from '../conversions/notice-upload.ts'
import { type Repeated, repeat, startReclaiming } from '../conversions/periodic-tasks.ts'
import { createSweeper } from '../conversions/sweep.ts'
import type { Database } from '../db/connect.ts'
import { deleteStaleProcesses } from '../db/processes.ts'
import { rollUp } from '../db/reports/roll-up.ts'
import type { OpenStorage, Shared } from './open-parts.ts'

// Maintenance of tables and storage: sweeping, looking for uploads, counting, and ending the jobs of lost workers. It
// needs access to the whole storage and to tables that a worker cannot read, so the API processes do it.

export interface MaintenanceParts
  extends Pick<Shared, 'config' | 'database' | 'queue' | 'metrics' | 'load' | 'log'>,
    Pick<OpenStorage, 'storage'> {}

export function startMaintenance(parts: MaintenanceParts): { stop(): Promise<void> } {
  const { config, database, storage, queue, metrics, log } = parts
  const endJob = createEndJob({ ...config, ...parts })
  const sweeper = createSweeper({ ...config, ...parts, endJob })
  const rounds: Repeated[] = [
    { name: 'expired', everySeconds: config.sweepIntervalSeconds, work: sweeper.sweepExpired },
    // The full comparison reads the name of every object.
    { name: 'strays', everySeconds: config.sweepIntervalSeconds * 10, work: sweeper.sweepStrays },
    { name: 'counts', everySeconds: 3, work: () => countEverything(database) },
    { name: 'processes', everySeconds: 600, work: () => deleteStaleProcesses(database.kysely) },
  ]
  if (!storage.tellsOfUploads) {
    const notice = createNoticeUpload({ database, queue, storage, endJob })
    rounds.push({
      name: 'uploads',
      everySeconds: 1,
      work: createPollUploads({ database, storage, notice }),
    })
  }
  const repeating = rounds.map((round) => repeat(database, round, log))
  const failedAttempts = createFailedAttempts({ database, endJob, metrics, dataDir: config.dataDir })
  const tasks = [...repeating, startReclaiming({ ...parts, failedAttempts })]
  return { stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))) }
}

/** Repeats until all ended jobs are counted; a table with a long history takes several steps. */
async function countEverything(database: Database): Promise<void> {
  while (await rollUp(database.kysely));
}
