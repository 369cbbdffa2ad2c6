import { setTimeout as sleep } from 'node:timers/promises'
import type { Gate } from '../packages/server/test/support/gate.ts'
import type { StoppablePostgres } from '../packages/server/test/support/stoppable-postgres.ts'
import type { Fleet } from './fleet.ts'
import type { Fault, PlannedFault } from './plan.ts'
import type { SmallDisk } from './small-disk.ts'
import type { WorkWatch } from './work-watch.ts'

// Carries the plan out.

export interface TroubleParts {
  fleet: Fleet
  database: StoppablePostgres
  storageGate: Gate
  disk: SmallDisk
  watch: WorkWatch
  say: (line: string) => void
}

export interface TroubleReport {
  beganAt: Date
  kills: number
  killsWithWork: number
  faults: string[]
}

export async function makeTrouble(
  plan: readonly PlannedFault[],
  parts: TroubleParts,
): Promise<TroubleReport> {
  const { fleet, database, storageGate, disk, watch, say } = parts
  const report: TroubleReport = { beganAt: new Date(), kills: 0, killsWithWork: 0, faults: [] }
  const began = Date.now()

  const lasting = async (seconds: number, begin: () => unknown, end: () => unknown) => {
    await begin()
    await sleep(seconds * 1000)
    await end()
  }
  const silenced = (seconds: number, { silence }: Pick<Gate, 'silence'>) =>
    lasting(
      seconds,
      () => silence(true),
      () => silence(false),
    )
  // What stood still needs a moment to go on.
  const withNothingRunning = async (work: () => Promise<void>) => {
    watch.standStill(true)
    await work()
    await sleep(4000)
    watch.standStill(false)
  }
  const cause: { [Kind in Fault['kind']]: (fault: Extract<Fault, { kind: Kind }>) => Promise<void> } = {
    async kill({ target }) {
      if (!fleet.members.get(target)?.kill()) return
      report.kills++
      if (watch.killed(target) > 0) report.killsWithWork++
    },
    'database-stop': ({ seconds }) =>
      withNothingRunning(() => lasting(seconds, database.stop, database.start)),
    'database-crash': () =>
      withNothingRunning(async () => {
        await database.crash()
        await database.start()
      }),
    'database-silence': ({ seconds }) => withNothingRunning(() => silenced(seconds, database)),
    // Jobs are taken all the same, and handed back.
    'storage-refuses': ({ seconds }) =>
      withNothingRunning(() => lasting(seconds, storageGate.close, storageGate.open)),
    'storage-silence': ({ seconds }) => withNothingRunning(() => silenced(seconds, storageGate)),
    'disk-full': ({ seconds }) => lasting(seconds, disk.fill, disk.free),
  }

  const running: Promise<void>[] = []
  for (const { atSeconds, fault } of plan) {
    await sleep(Math.max(0, began + atSeconds * 1000 - Date.now()))
    if (fault.kind !== 'kill') {
      const words = 'seconds' in fault ? `${fault.kind} for ${fault.seconds} s` : fault.kind
      say(`${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s  ${words}`)
      report.faults.push(words)
    }
    running.push((cause[fault.kind] as (fault: Fault) => Promise<void>)(fault))
  }
  await Promise.all(running)
  return report
}
