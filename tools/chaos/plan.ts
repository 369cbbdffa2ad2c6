import { createRandom } from '@kiln/test-support/random.ts'
import type { Form } from './forms.ts'

// The schedule of faults, derived from the seed before anything runs. Kills come at random times throughout, also
// during other faults; on a slow machine they come later, because there must be something to kill. The other faults
// follow each other with a pause in between, in an order that the seed decides.

export const fleetNames = ['api-1', 'api-2', 'worker-1', 'worker-2', 'worker-3', 'worker-4'] as const
export type MemberName = (typeof fleetNames)[number]

export type Fault =
  /** Most kills wait until their target is ready; the others hit it as soon as it runs. */
  | { kind: 'kill'; target: MemberName; patient: boolean }
  | { kind: 'database-stop'; seconds: number }
  | { kind: 'database-crash' }
  | { kind: 'database-silence'; seconds: number }
  | { kind: 'storage-refuses'; seconds: number }
  | { kind: 'storage-silence'; seconds: number }
  | { kind: 'disk-full'; seconds: number }

export interface PlannedFault {
  atSeconds: number
  fault: Fault
}

// Workers hold the work: they are hit more often.
const targets: readonly MemberName[] = [
  'api-1',
  'api-2',
  'worker-1',
  'worker-1',
  'worker-2',
  'worker-2',
  'worker-3',
  'worker-3',
  'worker-4',
  'worker-4',
]

export function makePlan(seed: number, form: Form): PlannedFault[] {
  const random = createRandom(seed)
  const kills = Array.from({ length: form.kills }, (_, index): PlannedFault => {
    const slot = form.seconds / form.kills
    const atSeconds = (index + random.next()) * slot
    return { atSeconds, fault: { kind: 'kill', target: random.pick(targets), patient: random.next() < 0.8 } }
  })
  const others: { fault: Fault; seconds: number }[] = []
  const add = (fault: Fault, seconds: number) => seconds > 0 && others.push({ fault, seconds })
  const lasting = (kind: Exclude<Fault['kind'], 'kill' | 'database-crash'>, seconds: number) =>
    add({ kind, seconds }, seconds)
  lasting('database-stop', form.databaseStopSeconds)
  lasting('database-silence', form.databaseSilenceSeconds)
  lasting('storage-refuses', form.storageRefusesSeconds)
  lasting('storage-silence', form.storageSilenceSeconds)
  lasting('disk-full', form.diskFullSeconds)
  add({ kind: 'database-crash' }, 2)
  if (form.kills > 100) add({ kind: 'database-crash' }, 2)

  const shuffled = others
    .map((each) => ({ each, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ each }) => each)
  const busy = shuffled.reduce((sum, { seconds }) => sum + seconds, 0)
  const pause = Math.max(1, (form.seconds - busy) / (shuffled.length + 1))
  let at = pause
  const planned = shuffled.map(({ fault, seconds }): PlannedFault => {
    const start = at
    at += seconds + pause
    return { atSeconds: start, fault }
  })
  return [...kills, ...planned].sort((a, b) => a.atSeconds - b.atSeconds)
}
