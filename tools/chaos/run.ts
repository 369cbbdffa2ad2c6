import { join } from 'node:path'
import { openGate } from '@kiln/test-support/gate.ts'
import { openStoppablePostgres } from '@kiln/test-support/stoppable-postgres.ts'
import { startSwift } from '@kiln/test-support/swift.ts'
import type { S3Settings } from '../../packages/server/src/storage/s3/s3-storage.ts'
import { type Account, createAccounts } from './accounts.ts'
import { type Fleet, startFleet, untilReady } from './fleet.ts'
import type { Form } from './forms.ts'
import { type FaultReport, injectFaults } from './inject-faults.ts'
import { afterTheStop, whileRunning } from './invariants/index.ts'
import { makePlan } from './plan.ts'
import { startReceiver } from './receiver.ts'
import { mountSmallDisk } from './small-disk.ts'
import type { Invariant, SystemState } from './system-state.ts'
import { type WorkWatch, watchWork } from './work-watch.ts'
import { startSubmitsWithoutKey, startWorkload, type Workload } from './workload.ts'

export interface RunOptions {
  seed: number
  root: string
  stack: AsyncDisposableStack
  say: (line: string) => void
}

export async function runChaos(form: Form, { seed, root, stack, say }: RunOptions): Promise<string[]> {
  const [swift, database] = await Promise.all([startSwift('kiln-chaos'), openStoppablePostgres(root)])
  stack.defer(swift.stop)
  stack.defer(database.end)
  const storageGate = await openGate({ host: '127.0.0.1', port: portOf(swift.settings.endpoint as string) })
  stack.defer(storageGate.end)
  const disk = await mountSmallDisk(join(root, 'small-disk'))
  stack.defer(disk.unmount)
  const watch = watchWork()
  const fleet = await startFleet({
    root,
    databaseUrl: database.connectionString,
    s3: { ...swift.settings, endpoint: `http://127.0.0.1:${storageGate.port}` },
    uploadTtlSeconds: form.uploadTtlSeconds,
    smallDisk: disk.folder,
    watch,
  })
  stack.defer(async () => void (await stopFleet(fleet)))
  await untilReady(fleet)
  return runUnderLoad({
    form,
    seed,
    root,
    stack,
    say,
    fleet,
    watch,
    databaseUrl: database.directString,
    s3: swift.settings,
    receiverAddress: '127.0.0.1',
    async inject({ violation }) {
      const plan = makePlan(seed, form)
      const report = await injectFaults(plan, { fleet, database, storageGate, disk, watch, say })
      if (report.kills < form.kills * 0.95) violation(`only ${report.kills} of ${form.kills} kills hit`)
      return report
    },
  })
}

export interface RunUnderLoad extends RunOptions {
  form: Form
  fleet: Fleet
  watch: WorkWatch
  /** The database itself, not the proxy that injects faults. */
  databaseUrl: string
  s3: S3Settings
  receiverAddress: string
  inject(running: Running): Promise<FaultReport>
}

export interface Running {
  accounts: readonly Account[]
  workload: Workload
  giveUpAt: number
  violation: (what: string) => void
}

/** Injects the faults while clients work, then checks the invariants. Returns the violations. */
export async function runUnderLoad({
  form,
  seed,
  root,
  stack,
  say,
  fleet,
  watch,
  databaseUrl,
  s3,
  receiverAddress,
  inject,
}: RunUnderLoad): Promise<string[]> {
  const violations: string[] = []
  const violation = (what: string) => {
    violations.push(what)
    if (violations.length < 50) say(`VIOLATION  ${what}`)
  }
  const receiver = await startReceiver(seed, violation, receiverAddress)
  stack.defer(receiver.stop)
  const forAdmin = { ...fleet.environment, KILN_DATA_DIR: join(root, 'admin') }
  const [forSubmits, ...accounts] = await createAccounts(4, forAdmin, receiver)
  if (!forSubmits) throw new Error('There is no account to submit with.')

  const over = new AbortController()
  // Also when a fault cannot be injected.
  stack.defer(() => over.abort())
  // On a busy machine the faults take longer.
  const giveUpAt = Date.now() + (4 * form.seconds + form.patienceSeconds) * 1000
  const lasts = over.signal
  const workload = startWorkload({ seed, form, accounts, bases: fleet.bases, lasts, giveUpAt, violation })
  const withoutKey = startSubmitsWithoutKey(forSubmits, fleet.bases, lasts)
  const injected = await inject({ accounts, workload, giveUpAt, violation })
  over.abort()
  await Promise.all([workload.done, withoutKey.done])

  const state: SystemState = {
    form,
    root,
    accounts,
    fleet,
    watch,
    injected,
    receiver,
    say,
    giveUpAt: Date.now() + form.patienceSeconds * 1000,
    acknowledged: workload.acknowledged,
    clientOf: workload.clientOf,
    withoutKey: withoutKey.submits,
    databaseUrl,
    s3,
    ended: new Map(),
  }
  await judge(whileRunning, state, violation)
  for (const { code, seconds } of await stopFleet(fleet)) {
    if (code !== 0) violation(`a process ended with ${code} after ${seconds.toFixed(1)} s when asked to stop`)
  }
  await judge(afterTheStop, state, violation)
  for (const line of summary(state, workload.counts)) say(line)
  return violations
}

const stopFleet = ({ members }: Fleet) => Promise.all([...members.values()].map((member) => member.stop()))

async function judge(
  invariants: readonly Invariant[],
  state: SystemState,
  violation: (what: string) => void,
): Promise<void> {
  for (const { name, check } of invariants) {
    const faults = await check(state)
    state.say(`${faults.length === 0 ? 'held      ' : 'BROKEN    '} ${name}`)
    for (const fault of faults) violation(fault)
  }
}

function summary({ acknowledged, ended, injected, watch }: SystemState, counts: ReadonlyMap<string, number>) {
  const byEnd = (status: string) => [...ended.values()].filter((job) => job.status === status).length
  const reasons = Map.groupBy(
    [...ended.values()].filter((job) => job.status === 'failed'),
    ({ error }) => String(error).split('.')[0],
  )
  const failures = [...reasons].map(([reason, jobs]) => ` (${jobs.length} × ${reason})`)
  const answers = [...counts].sort(([a], [b]) => a.localeCompare(b)).map(([what, n]) => `${what}: ${n}`)
  return [
    '',
    `${acknowledged.length} jobs acknowledged, ${byEnd('done')} done, ${byEnd('failed')} failed${failures.join('')}, ${watch.runs()} runs`,
    `${injected.kills} kills, ${injected.killsWithWork} of them in the middle of a job; ${injected.faults.join(', ')}`,
    answers.join(', '),
  ]
}

const portOf = (address: string): number => Number(new URL(address).port)
