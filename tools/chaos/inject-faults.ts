import { setTimeout as sleep } from 'node:timers/promises'
import type { Gate } from '@kiln/test-support/gate.ts'
import type { StoppablePostgres } from '@kiln/test-support/stoppable-postgres.ts'
import type { Fleet } from './fleet.ts'
import type { Member } from './member.ts'
import type { Fault, PlannedFault } from './plan.ts'
import type { SmallDisk } from './small-disk.ts'
import type { WorkWatch } from './work-watch.ts'

// Carries the plan out.

const longestPatience = 20_000
/** Killing a worker during a job tests more than killing an idle one. */
const patienceForWork = 3000

export interface FaultParts {
  fleet: Fleet
  database: StoppablePostgres
  storageGate: Gate
  disk: SmallDisk
  watch: WorkWatch
  say: (line: string) => void
}

export interface FaultReport {
  beganAt: Date
  kills: number
  killsWithWork: number
  faults: string[]
}

export async function injectFaults(plan: readonly PlannedFault[], parts: FaultParts): Promise<FaultReport> {
  const { fleet, database, storageGate, disk, watch, say } = parts
  const report: FaultReport = { beganAt: new Date(), kills: 0, killsWithWork: 0, faults: [] }
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
  const cause: { [Kind in Fault['kind']]: (fault: Extract<Fault, { kind: Kind }>) => Promise<void> } = {
    async kill({ target, patient }) {
      const member = fleet.members.get(target) as Member
      const becomesTrue = async (condition: () => boolean, milliseconds: number) => {
        const end = Date.now() + milliseconds
        while (!condition()) {
          if (Date.now() >= end) return false
          await sleep(5)
        }
        return true
      }
      if (patient) {
        await becomesTrue(member.isReady, longestPatience)
        if (target.startsWith('worker')) await becomesTrue(() => watch.isBusy(target), patienceForWork)
      }
      // A target that has just ended is hit when it starts again.
      if (!(await becomesTrue(member.kill, longestPatience))) return
      report.kills++
      if (watch.killed(target) > 0) report.killsWithWork++
    },
    'database-stop': ({ seconds }) =>
      watch.duringOutage(() => lasting(seconds, database.stop, database.start)),
    'database-crash': () =>
      watch.duringOutage(async () => {
        await database.crash()
        await database.start()
      }),
    'database-silence': ({ seconds }) => watch.duringOutage(() => silenced(seconds, database)),
    // Jobs are still taken, and returned to the queue.
    'storage-refuses': ({ seconds }) =>
      watch.duringOutage(() => lasting(seconds, storageGate.close, storageGate.open)),
    'storage-silence': ({ seconds }) => watch.duringOutage(() => silenced(seconds, storageGate)),
    'disk-full': ({ seconds }) => lasting(seconds, disk.fill, disk.free),
  }

  const carryOut = async (planned: readonly PlannedFault[]) => {
    for (const { atSeconds, fault } of planned) {
      await sleep(Math.max(0, began + atSeconds * 1000 - Date.now()))
      if (fault.kind !== 'kill') {
        const words = 'seconds' in fault ? `${fault.kind} for ${fault.seconds} s` : fault.kind
        say(`${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s  ${words}`)
        report.faults.push(words)
      }
      await (cause[fault.kind] as (fault: Fault) => Promise<void>)(fault)
    }
  }
  const isKill = ({ fault }: PlannedFault) => fault.kind === 'kill'
  await Promise.all([carryOut(plan.filter(isKill)), carryOut(plan.filter((each) => !isKill(each)))])
  return report
}
