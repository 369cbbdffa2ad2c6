import { spawnSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '@kiln/test-support/random.ts'
import { bucketEnvironment, type Fleet, sharedEnvironment, untilReady } from '../fleet.ts'
import type { Form } from '../forms.ts'
import { startMember } from '../member.ts'
import type { MemberName } from '../plan.ts'
import { type RunOptions, runUnderLoad } from '../run.ts'
import { type WorkWatch, watchWork } from '../work-watch.ts'
import { type DatabasePair, openDatabasePair } from './database.ts'
import { loseMachines } from './faults.ts'
import { type Machine, openNetwork } from './network.ts'
import { type ObjectStore, openObjectStore } from './object-store.ts'

// One run with every component on a separate machine: API, worker, primary, standby, the proxy in front of them, and
// the object store on four. Each is killed and disconnected in turn, under load; the standby is promoted twice.

const form: Form = {
  seconds: 120,
  kills: 2,
  clients: 4,
  uploadTtlSeconds: 3600,
  takeoverSeconds: 25,
  patienceSeconds: 120,
  // These faults are those of the other forms.
  databaseStopSeconds: 0,
  databaseSilenceSeconds: 0,
  diskFullSeconds: 0,
  storageRefusesSeconds: 0,
  storageSilenceSeconds: 0,
}

export async function runMachines(options: RunOptions): Promise<string[]> {
  const { seed, root, stack, say } = options
  if (spawnSync('haproxy', ['-v']).error)
    throw new Error('HAProxy, the proxy of this form, does not start. Install it: apt-get install haproxy')
  const network = await openNetwork()
  stack.defer(network.remove)
  const add = network.addMachine
  const [api, worker] = [await add('api'), await add('worker')]
  const [pg1, pg2, pgProxy] = [await add('pg1'), await add('pg2'), await add('pg-proxy')]
  const storing = [await add('store1'), await add('store2'), await add('store3')]
  const storeProxy = await add('store-proxy')
  say(`nine machines; each packet: ${network.conditions}`)

  const database = await openDatabasePair({ root, machines: [pg1, pg2], proxy: pgProxy, stack })
  const store = await openObjectStore(root, storing, storeProxy, stack)
  const watch = watchWork()
  const fleet = await startFleet({ root, api, worker, database, store, watch, stack })
  await untilReady(fleet)
  return runUnderLoad({
    ...options,
    form,
    fleet,
    watch,
    databaseUrl: database.url('kiln'),
    s3: store.settings,
    receiverAddress: network.address,
    inject: ({ accounts: [account], workload, giveUpAt, violation }) => {
      if (!account) throw new Error('There is no account.')
      return loseMachines({
        fleet,
        machines: { api, worker },
        database,
        store,
        watch,
        say,
        violation,
        giveUpAt,
        account,
        client: workload.clientOf(account),
        acknowledged: workload.acknowledged,
        random: createRandom(seed + 1),
      })
    },
  })
}

interface FleetParts {
  root: string
  api: Machine
  worker: Machine
  database: DatabasePair
  store: ObjectStore
  watch: WorkWatch
  stack: AsyncDisposableStack
}

async function startFleet(parts: FleetParts): Promise<Fleet> {
  const { root, api, worker, database, store, watch, stack } = parts
  const { settings: s3 } = store
  const address = `http://${api.address}:8080`
  const shared = sharedEnvironment(root, database.url('kiln'))
  const environment = { ...shared, ...bucketEnvironment(s3), KILN_PUBLIC_URL: address }
  const start = async (name: MemberName, machine: Machine, own: Record<string, string>) => {
    const folder = join(root, name)
    await mkdir(folder, { recursive: true, mode: 0o755 })
    const member = startMember({
      name,
      program: name.startsWith('api') ? 'main-api.ts' : 'main-worker.ts',
      within: machine.within,
      args: name.startsWith('api') ? [] : ['--lanes', 'office,document'],
      environment: { ...shared, KILN_DATA_DIR: folder, ...own },
      onLine({ msg, jobId, attempt }) {
        if (msg === 'job begun') watch.begun(name, String(jobId), Number(attempt))
        if (msg === 'job ended') watch.ended(name, String(jobId))
      },
    })
    // Before it is ready: it is started again and again, whatever ends it.
    stack.defer(async () => void (await member.stop()))
    return member
  }
  const workerUrl = database.url('kiln_worker')
  const listening = { KILN_HOST: api.address, KILN_WORKER_DATABASE_URL: workerUrl, KILN_LOG_LEVEL: 'info' }
  const apiMember = await start('api-1', api, { ...environment, ...listening })
  const fleet: Fleet = { members: new Map([['api-1', apiMember]]), bases: [`${address}/api`], environment }
  // The API creates the role of the worker, which cannot connect before.
  await untilReady(fleet)
  const workerMember = await start('worker-1', worker, {
    DATABASE_URL: workerUrl,
    KILN_WORKER_API_URL: address,
    KILN_LOG_LEVEL: 'debug',
  })
  while (!workerMember.isReady()) {
    if (workerMember.unexpectedEnds().length > 0) throw new Error(workerMember.unexpectedEnds().join('\n'))
    await sleep(100)
  }
  return { ...fleet, members: new Map([...fleet.members, ['worker-1', workerMember]]) }
}
