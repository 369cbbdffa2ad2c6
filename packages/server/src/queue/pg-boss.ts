import { type Lane, lanes } from '@kiln/converter/catalog'
import { type FetchOptions, fromKysely, PgBoss } from 'pg-boss'
import type { Database, Trx } from '../db/connect.ts'
import type { Listener } from '../db/listen.ts'
import { retryOnDeadlock } from '../db/retries.ts'
import { withAdvisoryLock } from '../db/turns.ts'
import type { Queue, Work } from './queue.ts'

// The queue on pg-boss.
//
// One pg-boss queue per lane, and one for the dead letters of all lanes. A lease is pg-boss's heartbeat (10 s); its
// supervision, which workers trigger, requeues expired work. The turn of a job becomes its priority, so that accounts
// share a lane. Ended work is deleted, not kept: the job row is the record, and an empty queue table stays fast.
// pg-boss's own work() polls; we fetch on NOTIFY.

const abandoned = 'abandoned'
const maxTakings = 10
export const wakeChannel = 'kiln_work'

interface Payload {
  jobId: string
  lane: Lane
  accountId: string
}

export interface PgBossOptions {
  database: Database
  /** Undefined in a process that only enqueues. */
  listener?: Listener
  /** Tests use a smaller number. */
  maxTakings?: number
  onError: (error: unknown) => void
}

export async function openPgBossQueue(options: PgBossOptions): Promise<Queue> {
  const { database, listener } = options
  const boss = new PgBoss({
    db: fromKysely(database.kysely),
    supervise: false,
    monitorIntervalSeconds: 1,
    schedule: false,
  })
  boss.on('error', options.onError)
  // Many processes may start at the same time on an empty database; one of them creates pg-boss's tables.
  const prepare = async () => {
    await boss.start()
    for (const name of [abandoned, ...lanes]) {
      const settings = settingsOf(name, options.maxTakings ?? maxTakings)
      const found = await boss.getQueue(name)
      if (!found) await boss.createQueue(name, { ...settings, partition: true })
      // The queue was created by an earlier version.
      else if (found.retryLimit !== settings.retryLimit || found.retryDelay !== settings.retryDelay)
        await boss.updateQueue(name, settings)
    }
  }
  const close = () => boss.stop({ graceful: false, close: false })
  try {
    await withAdvisoryLock(database.kysely, 'queue', prepare)
  } catch (error) {
    // The first error is the one to report.
    await close().catch(() => {})
    throw error
  }

  const wakeable = new Set<(lane: Lane) => void>()
  const fetchFrom = async (queue: string, how: FetchOptions = {}): Promise<Work | null> => {
    const [job] = await boss.fetch<Payload>(queue, how)
    return job ? { ...job.data, lease: { queue, id: job.id, retryCount: job.retryCount } } : null
  }
  const remove = async (trx: Trx, { lease }: Work) =>
    hitOne(await boss.deleteJob(lease.queue, lease, { db: fromKysely(trx) }))

  return {
    async enqueue(trx, { jobId, lane, accountId, turn }) {
      const how = { id: jobId, priority: -turn, group: { id: accountId }, db: fromKysely(trx) }
      await boss.send(lane, { jobId, lane, accountId }, how)
    },
    wake(lane) {
      // A worker in this process is called directly, without a notification.
      for (const callback of wakeable) callback(lane)
      database.notify(wakeChannel, lane).catch(() => {
        // A lost notification only costs time: workers poll every two seconds.
      })
    },
    take: (lane, begin, except = []) =>
      retryOnDeadlock(() =>
        database.kysely.transaction().execute(async (trx) => {
          const work = await fetchFrom(lane, { db: fromKysely(trx), ignoreGroups: [...except] })
          if (!work) return null
          const begun = await begin(trx, work)
          if (begun === null) await remove(trx, work)
          return { work, begun }
        }),
      ),
    reclaim: () => boss.supervise(),
    takeAbandoned: () => fetchFrom(abandoned),
    async keep({ lease }) {
      return hitOne(await boss.touch(lease.queue, lease))
    },
    remove,
    async drop(trx, { jobId, lane }) {
      await boss.deleteJob(lane, jobId, { db: fromKysely(trx) })
    },
    async fail({ lease }, reason) {
      await boss.fail(lease.queue, lease, { reason })
    },
    async handBack({ jobId, lane, accountId, lease }, afterSeconds = 0) {
      await database.kysely.transaction().execute(async (trx) => {
        const db = fromKysely(trx)
        const held = hitOne(await boss.deleteJob(lease.queue, lease, { db }))
        // Higher than the priority of any turn: this job has had its turn already.
        const again = { id: jobId, priority: 1, group: { id: accountId }, startAfter: afterSeconds, db }
        if (held) await boss.send(lane, { jobId, lane, accountId }, again)
      })
      if (afterSeconds === 0) await database.notify(wakeChannel, lane)
    },
    onWake(callback) {
      if (!listener) throw new Error('This process opened the queue without a listener.')
      const all = () => lanes.forEach(callback)
      wakeable.add(callback)
      const stops = [
        listener.on(wakeChannel, (payload) => {
          const lane = lanes.find((name) => name === payload)
          if (lane) callback(lane)
        }),
        listener.onReconnected(all),
      ]
      return () => {
        wakeable.delete(callback)
        for (const stop of stops) stop()
      }
    },
    close,
  }
}

// Outages of storage, disk or database do not count as a taking, so retries of a lane need no backoff: the job of a
// killed worker is retried at once. Ending an abandoned job does need storage and database.
const settingsOf = (name: string, takings: number) => ({
  retryLimit: name === abandoned ? 1_000_000 : takings - 1,
  retryDelay: name === abandoned ? 1 : 0,
  retryBackoff: name === abandoned,
  ...(name === abandoned ? { retryDelayMax: 30 } : { deadLetter: abandoned }),
  // The engines' own limits end a run; this ends the run of a worker that hangs but keeps its lease.
  expireInSeconds: 4 * 3600,
  heartbeatSeconds: 10,
  retentionSeconds: 30 * 86_400,
  deleteAfterSeconds: 3600,
})

// The count is present at run time; pg-boss's types lack it.
const hitOne = (response: object): boolean => (response as { affected?: number }).affected === 1
