import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@kiln/test-support/random.ts'
import type { Account } from '../accounts.ts'
import type { Acknowledged, Client } from '../client.ts'
import type { Fleet } from '../fleet.ts'
import type { FaultReport } from '../inject-faults.ts'
import type { Member } from '../member.ts'
import { makeRequest } from '../requests.ts'
import type { WorkWatch } from '../work-watch.ts'
import type { DatabasePair } from './database.ts'
import type { Machine } from './network.ts'
import type { ObjectStore } from './object-store.ts'

// Every machine is killed and cut off in turn. A link for an upload and one for a download are handed out before the
// first promotion and used after it.

export interface FaultParts {
  fleet: Fleet
  machines: { api: Machine; worker: Machine }
  database: DatabasePair
  store: ObjectStore
  watch: WorkWatch
  account: Account
  client: Client
  /** Jobs of this and other accounts; submits of this function are added. */
  acknowledged: Acknowledged[]
  random: Random
  giveUpAt: number
  say: (line: string) => void
  violation: (what: string) => void
}

const faultSeconds = 6
const pauseSeconds = 3
/** From the promotion to the end of a conversion that was submitted after it. */
const recoverySeconds = 15

export async function loseMachines(parts: FaultParts): Promise<FaultReport> {
  const { fleet, machines, database, store, watch, say, violation } = parts
  const report: FaultReport = { beganAt: new Date(), kills: 0, killsWithWork: 0, faults: [] }
  const began = Date.now()
  const cause = async (what: string, fault: () => Promise<unknown>) => {
    await sleep(pauseSeconds * 1000)
    say(`${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s  ${what}`)
    report.faults.push(what)
    await fault()
  }
  const lasting = (begin: () => unknown, end: () => unknown) => async () => {
    await begin()
    await sleep(faultSeconds * 1000)
    await end()
  }
  const outage = (begin: () => unknown, end: () => unknown) => () => watch.duringOutage(lasting(begin, end))
  const kill = (name: 'api-1' | 'worker-1') => async () => {
    if (!(fleet.members.get(name) as Member).kill()) return
    report.kills++
    if (watch.killed(name) > 0) report.killsWithWork++
  }
  const recoverAfter = async (promotion: () => Promise<void>) => {
    await promotion()
    const promotedAt = Date.now()
    await convertOne(parts)
    const seconds = (Date.now() - promotedAt) / 1000
    say(`        a conversion submitted after the promotion ended ${seconds.toFixed(1)} s after it`)
    if (seconds > recoverySeconds) violation(`the service took ${seconds.toFixed(1)} s to recover`)
  }

  await cause('the API is killed', kill('api-1'))
  await cause('the worker is killed', kill('worker-1'))
  for (const [name, machine] of Object.entries(machines))
    await cause(`the ${name} is cut off`, outage(machine.cut, machine.join))
  for (const [index, node] of store.nodes.slice(0, 2).entries()) {
    const [begin, end] = index === 0 ? [node.kill, node.start] : [node.machine.cut, node.machine.join]
    await cause(`a store is ${index === 0 ? 'killed' : 'cut off'}`, lasting(begin, end))
  }
  await cause('the proxy of the store is killed', outage(store.proxy.kill, store.proxy.start))
  await cause('the proxy of the database is killed', outage(database.proxy.kill, database.proxy.start))
  const { cut, join } = database.standby().machine
  await cause('the standby is cut off', outage(cut, join))

  const links = await handOutLinks(parts)
  await cause('the primary is killed, and the standby promoted', async () => {
    await watch.duringOutage(() =>
      recoverAfter(async () => {
        await database.crash(database.primary())
        await sleep(1000)
        await database.failOver()
      }),
    )
    await links.use()
  })
  await cause('the old primary comes back as standby', database.rejoin)
  const lost = database.primary()
  await cause('the primary is cut off, and the standby promoted', () =>
    watch.duringOutage(() =>
      recoverAfter(async () => {
        await lost.machine.cut()
        await sleep(2000)
        await database.failOver()
      }),
    ),
  )
  await cause('the old primary comes back as standby', async () => {
    await lost.machine.join()
    await database.rejoin()
  })
  await sleep(pauseSeconds * 1000)
  return report
}

async function submitOne({ account, client, acknowledged, random, giveUpAt }: FaultParts) {
  const request = makeRequest(random)
  const submitted = await client.submit(request, giveUpAt)
  if (!submitted) return null
  const { jobId, uploadUrl } = submitted
  const record = { jobId, request, account: account.id, uploaded: false, deleted: false }
  acknowledged.push(record)
  return { record, uploadUrl }
}

async function convertOne(parts: FaultParts): Promise<string | null> {
  const { client, giveUpAt } = parts
  const submitted = await submitOne(parts)
  if (!submitted) return null
  const { record, uploadUrl } = submitted
  record.uploaded = await client.upload(record.request, uploadUrl, giveUpAt)
  if (!record.uploaded) return null
  for (;;) {
    const job = await client.poll(record.jobId, giveUpAt, 'wait=5')
    if (job?.status === 'done') return job.downloadUrl
    if (job?.status === 'failed' || Date.now() > giveUpAt) return null
  }
}

/** Links from before a promotion. */
async function handOutLinks(parts: FaultParts): Promise<{ use(): Promise<void> }> {
  const { client, giveUpAt, violation } = parts
  const downloadUrl = await convertOne(parts)
  const submitted = await submitOne(parts)
  if (!submitted) return { use: async () => violation('no upload link was handed out') }
  const { record, uploadUrl } = submitted
  return {
    async use() {
      const put = await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(record.request.body) })
      record.uploaded = put.ok
      if (!put.ok) violation(`an upload link from before the promotion was answered ${put.status}`)
      const got = downloadUrl === null ? null : await fetch(downloadUrl)
      if (!got?.ok) violation('a download link from before the promotion does not work')
      const job = await client.poll(record.jobId, giveUpAt, 'wait=25')
      if (job?.status !== 'done') violation(`the job of that upload is ${job?.status}`)
    },
  }
}
