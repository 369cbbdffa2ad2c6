import { setTimeout as delay } from 'node:timers/promises'
import { hashKey } from '../../../packages/server/src/accounts/api-key.ts'
import { connectDatabase, type Database } from '../../../packages/server/src/db/connect.ts'
import { beginJob, markUploaded } from '../../../packages/server/src/db/jobs.ts'
import { readJobsForKeys } from '../../../packages/server/src/db/jobs-of-key.ts'
import { submitTogether } from '../../../packages/server/src/db/submit.ts'
import { openPgBossQueue } from '../../../packages/server/src/queue/pg-boss.ts'
import type { Queue, Work } from '../../../packages/server/src/queue/queue.ts'
import { type BenchAccount, createAccounts } from '../accounts.ts'
import { type Environment, onDatabase } from '../environment.ts'
import { atMost, type Figure } from '../figures.ts'
import { type Fill, fillTables } from '../fill-tables.ts'
import { openKeepAliveClient } from '../keep-alive-client.ts'
import { barChart } from '../plots/bar-chart.ts'
import { startKilnApi } from '../start-servers.ts'
import { median } from '../statistics.ts'
import type { Suite } from '../suite.ts'

// The steps that must not grow with the tables. Submit and poll are timed as a caller sees them, and at
// the database alone, where a growing table shows first.

const steps = ['submit', 'poll', 'take', 'submit in the database', 'poll in the database', 'queue'] as const
const mostGrowth = 1.3
const withTarget: readonly Step[] = ['submit', 'poll', 'take']
type Step = (typeof steps)[number]
type Times = Record<Step, number[]>

export const bigTablesSuite: Suite = {
  name: 'big-tables',
  title: 'Big tables',
  method:
    'Two databases in one PostgreSQL: one with empty tables, one with 1,000,000 ended and 100,000 waiting jobs, their charges and their rows in the queue. The service’s own calls run one after the other, a small block on one database, then a block on the other; the ratio is that of the median times. *Submit* and *poll* go over HTTP to an API process for each database, and once more to the database alone; *take* is a worker’s fetch from the queue and its first write to the job; *queue* is what follows an upload (turn, enqueue). Polls ask for jobs from all over the table.',
  async run(environment, { short, say }) {
    const fill: Fill = short ? { finished: 60_000, queued: 10_000 } : { finished: 1_000_000, queued: 100_000 }
    const empty = await openSide(environment, 'tables_empty', null)
    say(`filling the tables with ${fill.finished} ended and ${fill.queued} waiting jobs`)
    const full = await openSide(environment, 'tables_full', fill)
    try {
      await delay(short ? 0 : 5000) // The checkpoint's writes settle.
      const blocks = short ? 10 : 60
      for (let block = -2; block < blocks; block++) {
        for (const side of [empty, full]) await side.runBlock(block >= 0)
      }
      const figures = steps.map((step) => figureOf(step, empty.times[step], full.times[step]))
      for (const { name, detail } of figures) say(`${name}: ${detail}`)
      return {
        figures,
        notes: [],
        plots: [
          {
            file: 'big-tables.svg',
            alt: 'Time of each step with 1.1 million jobs in the tables, as a multiple of its time on empty ones',
            svg: barChart({
              title: 'Time with 1.1 million jobs ÷ time on empty tables',
              groups: steps.map((step) => step.replace('in the database', '(database)')),
              series: [{ name: 'ratio', values: figures.map(({ seen }) => seen) }],
              target: { value: mostGrowth, words: `target: at most ${mostGrowth}` },
            }),
          },
        ],
      }
    } finally {
      await empty.close()
      await full.close()
    }
  },
}

function figureOf(step: Step, empty: readonly number[], full: readonly number[]): Figure {
  const [before, after] = [median(empty), median(full)]
  return {
    name: `${step}: full ÷ empty tables`,
    seen: after / before,
    unit: '×',
    ...(withTarget.includes(step) ? { target: atMost(mostGrowth) } : {}),
    detail: `median ${after.toFixed(2)} ms against ${before.toFixed(2)} ms; ${full.length} calls each`,
  }
}

const callsPerBlock = 20

async function openSide(environment: Environment, name: string, fill: Fill | null) {
  const databaseUrl = await environment.createServiceDatabase(name)
  const accounts = await createAccounts(databaseUrl, 1000)
  if (fill) await fillTables(databaseUrl, fill)
  const database = connectDatabase(databaseUrl, 2)
  const queue = await openPgBossQueue({ database, onError: () => {} })
  const known = fill ? await someJobs(databaseUrl, accounts) : []
  const times = Object.fromEntries(steps.map((step) => [step, []])) as unknown as Times
  const api = await startKilnApi(databaseUrl, await environment.createFolder(name))
  const client = openKeepAliveClient(api.base)

  const timed = async <T>(step: Step, keep: boolean, call: () => Promise<T>): Promise<T> => {
    const started = performance.now()
    const value = await call()
    if (keep) times[step].push(performance.now() - started)
    return value
  }
  const runBlock = async (keep: boolean): Promise<void> => {
    const jobs: OwnedJob[] = []
    for (let n = 0; n < callsPerBlock; n++) {
      const { key } = pick(accounts)
      const id = await timed('submit in the database', keep, () => submit(database, key))
      jobs.push({ id, key })
      await timed('submit', keep, () => client.call('POST', '/v1/conversions', pick(accounts).key, order))
    }
    for (const own of jobs) {
      const inTable = () => (known.length > 0 ? pick(known) : own)
      const { id, key } = inTable()
      await timed('poll in the database', keep, () =>
        readJobsForKeys(database, [{ keyHash: hashKey(key), jobId: id }]),
      )
      const other = inTable()
      await timed('poll', keep, () => client.call('GET', `/v1/conversions/${other.id}`, other.key))
    }
    for (const { id } of jobs) await timed('queue', keep, () => enqueue(database, queue, id))
    const taken: Work[] = []
    for (const _ of jobs) taken.push(await timed('take', keep, () => take(queue)))
    for (const work of taken) await finish(database, queue, work)
  }
  return {
    times,
    runBlock,
    async close() {
      client.close()
      await api.stop()
      await queue.close()
      await database.close()
    },
  }
}

interface OwnedJob {
  id: string
  key: string
}

const order = { pair: 'md-to-html', bytes: 1000 }

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

async function submit(database: Database, key: string): Promise<string> {
  const whole = {
    ...{ ...order, keyHash: hashKey(key), lane: 'document', cost: 1 },
    ...{ idempotencyKey: null, refusal: null, traceParent: null },
  }
  const [submitted] = await submitTogether(database, [whole], { freePerMonth: 50, uploadSeconds: 3600 })
  if (!submitted || !('jobId' in submitted)) throw new Error(`submit answered ${submitted?.outcome}`)
  return submitted.jobId
}

const enqueue = (database: Database, queue: Queue, jobId: string): Promise<void> =>
  database.kysely.transaction().execute(async (trx) => {
    const marked = await markUploaded(trx, jobId)
    if (!marked) throw new Error('The job awaits no upload.')
    await queue.enqueue(trx, { jobId, ...marked })
  })

async function take(queue: Queue): Promise<Work> {
  const taken = await queue.take('document', (trx, work) => beginJob(trx, work.jobId))
  if (!taken?.begun) throw new Error('There was nothing to take.')
  return taken.work
}

/** Ends a job the quick way, so that the waiting ones stay as many as they were. */
async function finish(database: Database, queue: Queue, work: Work): Promise<void> {
  await database.kysely.transaction().execute(async (trx) => {
    await trx.updateTable('jobs').set({ status: 'done' }).where('id', '=', work.jobId).execute()
    await queue.remove(trx, work)
  })
}

/** Jobs from all over the table, with keys of their owners. */
function someJobs(databaseUrl: string, accounts: readonly BenchAccount[]): Promise<OwnedJob[]> {
  const keys = new Map(accounts.map(({ id, key }) => [id, key]))
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; account_id: string }>(
      'select id, account_id from jobs tablesample bernoulli (1) order by random() limit 5000',
    )
    return rows.map(({ id, account_id }) => ({ id, key: keys.get(account_id) as string }))
  })
}
