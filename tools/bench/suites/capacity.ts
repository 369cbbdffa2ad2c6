import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onDatabase } from '@kiln/test-support/on-database.ts'
import type { Figure } from '../figures.ts'
import { type BenchAccount, convertJob, createAccounts } from '../jobs.ts'
import { cpuMs, cpuMsWithChildren, peakMemory, totalOf, watchTree } from '../processes.ts'
import { type ServiceApart, startApart } from '../servers/apart.ts'
import type { Suite } from '../suite.ts'
import { type Input, makeInputs } from './capacity/inputs.ts'

// The cost of a conversion for each component, in CPU time and memory, which determines the capacity of a machine.

const atOnce = 2

interface Cost {
  name: string
  conversions: number
  worker: number
  api: number
  database: number
  walBytes: number
  /** Memory of the worker with its engines above its idle memory, in MB. */
  memory: number
  seconds: number
}

export const capacitySuite: Suite = {
  name: 'capacity',
  title: 'What a conversion costs',
  method:
    '`npm run api` and `npm run worker` on a PostgreSQL and an S3 store, two conversions at a time. Conversions per second and core of the worker with its engines, beyond what it uses when idle.',
  async run(environment, { short, say }) {
    const folder = await environment.createFolder('capacity')
    const databaseUrl = await environment.createServiceDatabase('capacity')
    const [account] = await createAccounts(databaseUrl, 1)
    const inputs = await makeInputs(join(folder, 'documents'))
    const service = await startApart(databaseUrl, folder)
    const costs: Cost[] = []
    let idle: Spent = { worker: 0, api: 0, database: 0, walBytes: 0, seconds: 1 }
    try {
      const convertAll = async ({ pair, path }: Input, times: number) =>
        convertMany(service, account as BenchAccount, pair, await readFile(path), times)
      // After everything that starts with the first job has started, the remaining cost is that of idling.
      for (const input of inputs) await convertAll(input, 2)
      idle = await spending(service, environment.postmaster, databaseUrl, () => sleep(short ? 3000 : 10_000))
      const idleMemory = await peakMemory(service.workerPid, () => sleep(1000))
      say(`idle: ${describeIdle(idle)}, ${idleMemory.toFixed(0)} MB of the worker`)
      for (const input of inputs) {
        const { name, count } = input
        const conversions = short ? 4 : count
        const spent = await spending(service, environment.postmaster, databaseUrl, () =>
          convertAll(input, conversions),
        )
        // In a separate run: reading the sizes of processes stops them for a moment.
        const memory = await peakMemory(service.workerPid, () => convertAll(input, Math.min(conversions, 4)))
        const each = (part: keyof Spent) =>
          Math.max(0, spent[part] - (isTakenOff(part) ? (idle[part] / idle.seconds) * spent.seconds : 0)) /
          conversions
        const cost = {
          name,
          conversions,
          seconds: spent.seconds,
          worker: each('worker'),
          api: each('api'),
          database: each('database'),
          walBytes: each('walBytes'),
          memory: Math.max(0, memory - idleMemory) / atOnce,
        }
        costs.push(cost)
        say(`${name}: ${describe(cost)}`)
      }
    } finally {
      await service.stop()
    }
    return {
      figures: costs.map(
        (cost): Figure => ({
          name: cost.name,
          seen: 1000 / cost.worker,
          unit: '',
          detail: describe(cost),
        }),
      ),
    }
  },
}

/** Just after its start PostgreSQL logs full pages, so its WAL volume while idle is not representative. */
const isTakenOff = (part: keyof Spent) => part !== 'seconds' && part !== 'walBytes'

const describe = ({ worker, api, database, walBytes, memory, conversions, seconds }: Cost) =>
  `worker ${worker.toFixed(0)} ms and ${memory.toFixed(0)} MB, API ${api.toFixed(1)} ms, PostgreSQL ${database.toFixed(1)} ms, WAL ${(walBytes / 1024).toFixed(0)} KB each; ${conversions} in ${seconds.toFixed(1)} s`

interface Spent {
  worker: number
  api: number
  database: number
  walBytes: number
  seconds: number
}

const describeIdle = ({ worker, api, database, seconds }: Spent) =>
  `${(worker / seconds).toFixed(0)}, ${(api / seconds).toFixed(0)} and ${(database / seconds).toFixed(0)} ms of CPU a second`

/** The cost of each component during the work. */
async function spending(
  { apiPid, workerPid }: ServiceApart,
  postmaster: number,
  databaseUrl: string,
  work: () => Promise<unknown>,
): Promise<Spent> {
  const read = async () => ({
    api: await cpuMs(apiPid),
    database: await cpuMsWithChildren(postmaster),
    walBytes: await walBytes(databaseUrl),
  })
  const worker = await watchTree(workerPid)
  const [before, began] = [await read(), performance.now()]
  await work()
  const [after, seconds] = [await read(), (performance.now() - began) / 1000]
  return {
    seconds,
    worker: totalOf(await worker.stop()),
    api: after.api - before.api,
    database: after.database - before.database,
    walBytes: after.walBytes - before.walBytes,
  }
}

const walBytes = (databaseUrl: string): Promise<number> =>
  onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ bytes: string }>(
      `select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`,
    )
    return Number(rows[0]?.bytes)
  })

async function convertMany(
  { base }: ServiceApart,
  { key }: BenchAccount,
  pair: string,
  body: Buffer,
  times: number,
): Promise<void> {
  let left = times
  const one = async () => {
    while (left > 0) {
      left--
      await convertJob(base, key, pair, body)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}
