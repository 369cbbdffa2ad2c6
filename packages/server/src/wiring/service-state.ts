import { lanes } from '@kiln/converter/catalog'
import { type ProcessFacts, slotsIn, unhealthyEngines } from '../console/process-facts.ts'
import type { Database } from '../db/connect.ts'
import { listProcesses } from '../db/processes.ts'
import { readHoldings, readLanes, readMonth } from '../db/reports/current-state.ts'
import type { LaneStatus } from '../http/pages/status-page.ts'
import type { Storage } from '../storage/storage.ts'
import type { SharedFigures } from '../telemetry/shared-gauges.ts'
import { ttlCache } from '../ttl-cache.ts'

// The state of the whole service, for readiness, the status page and the shared metrics.

export interface ServiceState {
  /** Why the service cannot accept files, in sentences. */
  faults(): Promise<string[]>
  lanes(): Promise<LaneStatus[]>
  figures(): Promise<SharedFigures>
}

export function createServiceState(database: Database, storage: Pick<Storage, 'check'>): ServiceState {
  const db = database.kysely
  const processes = () => listProcesses<ProcessFacts>(database)
  return {
    // The first two are public and can be requested at any rate, so they are cached.
    faults: ttlCache(1000, async () => {
      const [running, stored] = await Promise.allSettled([processes(), storage.check()])
      return [
        ...(running.status === 'rejected' ? ['The database cannot be reached.'] : []),
        ...(stored.status === 'rejected' ? ['The storage cannot be written.'] : []),
        ...(running.status === 'fulfilled' ? unhealthyEngines(running.value) : []),
      ]
    }),
    lanes: ttlCache(1000, async () => {
      const [found, running] = await Promise.all([readLanes(db, lanes), processes()])
      return found.map((lane) => ({ ...lane, slots: slotsIn(lane.lane, running) }))
    }),
    async figures() {
      const [found, holdings, month, running] = await Promise.all([
        readLanes(db, lanes),
        readHoldings(db),
        readMonth(db),
        processes(),
      ])
      return { lanes: found, holdings, month, processes: running }
    },
  }
}
