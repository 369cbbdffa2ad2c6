import { connectDatabase } from '../../../packages/server/src/db/connect.ts'
import { beginJob } from '../../../packages/server/src/db/jobs.ts'
import { openPgBossQueue } from '../../../packages/server/src/queue/pg-boss.ts'
import { createAccounts } from '../accounts.ts'
import { onDatabase } from '../environment.ts'
import { atMost, type Figure } from '../figures.ts'
import { fillTables } from '../fill-tables.ts'
import { barChart } from '../plots/bar-chart.ts'
import { median, percentile } from '../statistics.ts'
import type { Suite } from '../suite.ts'

// How quickly workers take jobs, by their number and by the length of the queue.

const connectionCounts = [1, 8, 32, 128] as const
const mostGrowth = 2

interface Point {
  waiting: number
  connections: number
  perSecond: number
  milliseconds: number[]
}

export const takeCurveSuite: Suite = {
  name: 'take-curve',
  title: 'Taking a job',
  method:
    'A lane with 1,000 to 1,000,000 waiting jobs of 1,000 accounts. 1, 8, 32 and 128 connections take jobs from it one after the other, as fast as they can: the fetch from the queue and the first write to the job, in one transaction that is committed to disk. What was taken goes back between the rounds, and the tables are vacuumed, so every point starts alike. API, workers and PostgreSQL share the machine.',
  async run(environment, { short, say }) {
    const lengths = short ? [1000, 10_000] : [1000, 10_000, 100_000, 1_000_000]
    const points: Point[] = []
    let inARow: Figure | undefined
    for (const waiting of lengths) {
      const databaseUrl = await environment.createServiceDatabase(`take_${waiting}`)
      await createAccounts(databaseUrl, 1000)
      await fillTables(databaseUrl, { finished: 0, queued: waiting })
      for (const connections of connectionCounts) {
        const point = await measure(databaseUrl, waiting, connections, short ? 1 : 3)
        points.push(point)
        say(`${waiting} waiting, ${connections} connections: ${describe(point)}`)
      }
      if (waiting === lengths.at(-1)) inARow = await measureInARow(databaseUrl, short ? 4000 : 20_000)
    }
    say(`${inARow?.detail}`)
    const groups = lengths.map((waiting) => `${waiting.toLocaleString('en-US')} waiting`)
    const seriesOf = (value: (point: Point) => number) =>
      connectionCounts.map((connections) => ({
        name: `${connections} connection${connections === 1 ? '' : 's'}`,
        values: points.filter((point) => point.connections === connections).map(value),
      }))
    return {
      figures: [...figuresOf(points, lengths), ...(inARow ? [inARow] : [])],
      notes: points.map(
        ({ waiting, connections, ...point }) =>
          `${waiting.toLocaleString('en-US')} waiting, ${connections} connection${connections === 1 ? '' : 's'}: ${describe({ waiting, connections, ...point })}`,
      ),
      plots: [
        {
          file: 'take-rate.svg',
          alt: 'Jobs taken per second, by the number of connections and the length of the queue',
          svg: barChart({
            title: 'Jobs taken per second',
            groups,
            series: seriesOf(({ perSecond }) => perSecond),
          }),
        },
        {
          file: 'take-time.svg',
          alt: 'Median time to take a job, by the number of connections and the length of the queue',
          svg: barChart({
            title: 'Median time to take a job, in milliseconds',
            groups,
            series: seriesOf(({ milliseconds }) => median(milliseconds)),
          }),
        },
      ],
    }
  },
}

const describe = ({ perSecond, milliseconds }: Point) =>
  `${perSecond.toFixed(0)}/s, median ${median(milliseconds).toFixed(1)} ms, p99 ${percentile(milliseconds, 99).toFixed(1)} ms`

/** A long queue must not cost more than a short one, whatever the number of workers. */
function figuresOf(points: readonly Point[], lengths: readonly number[]): Figure[] {
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)]
  return connectionCounts.map((connections): Figure => {
    const rate = (waiting: number) =>
      points.find((point) => point.waiting === waiting && point.connections === connections)?.perSecond ?? 0
    return {
      name: `taking with ${connections} connection${connections === 1 ? '' : 's'}: ${longest.toLocaleString('en-US')} ÷ ${shortest.toLocaleString('en-US')} waiting`,
      seen: rate(shortest) / rate(longest),
      unit: '×',
      target: atMost(mostGrowth),
      sensitive: true,
      detail: `${rate(longest).toFixed(0)}/s against ${rate(shortest).toFixed(0)}/s`,
    }
  })
}

/** What is taken leaves dead rows at the head of the queue until the next vacuum; they must not add up. */
async function measureInARow(databaseUrl: string, count: number): Promise<Figure> {
  const connections = 32
  const rates: number[] = []
  await withQueue(databaseUrl, connections, async (take) => {
    for (let slice = 0; slice < 10; slice++)
      rates.push(await takeMany(take, connections, count / 10, () => {}))
  })
  await putBack(databaseUrl)
  const [first, last] = [rates[1] as number, rates.at(-1) as number]
  return {
    name: `taking ${count.toLocaleString('en-US')} in a row: first against last`,
    seen: first / last,
    unit: '×',
    target: atMost(mostGrowth),
    sensitive: true,
    detail: `${connections} connections, no vacuum in between; tenths: ${rates.map((rate) => rate.toFixed(0)).join(', ')} per second`,
  }
}

async function withQueue(
  databaseUrl: string,
  connections: number,
  work: (take: () => Promise<void>) => Promise<void>,
): Promise<void> {
  // One more than there are takers: the queue opens with two.
  const database = connectDatabase(databaseUrl, connections + 1)
  const queue = await openPgBossQueue({ database, onError: () => {} })
  try {
    await work(async () => {
      const taken = await queue.take('document', (trx, work) => beginJob(trx, work.jobId))
      if (!taken?.begun) throw new Error('There was nothing to take.')
    })
  } finally {
    await queue.close()
    await database.close()
  }
}

/** Gives the rate per second. */
async function takeMany(
  take: () => Promise<void>,
  connections: number,
  count: number,
  note: (milliseconds: number) => void,
): Promise<number> {
  let left = count
  const taker = async () => {
    while (left > 0) {
      left--
      const began = performance.now()
      await take()
      note(performance.now() - began)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: connections }, taker))
  return count / ((performance.now() - began) / 1000)
}

async function measure(
  databaseUrl: string,
  waiting: number,
  connections: number,
  rounds: number,
): Promise<Point> {
  const milliseconds: number[] = []
  const rates: number[] = []
  await withQueue(databaseUrl, connections, async (take) => {
    await takeMany(take, connections, Math.min(waiting / 2, connections * 10), () => {})
    await putBack(databaseUrl)
    for (let round = 0; round < rounds; round++) {
      const count = Math.min(waiting / 2, 2000)
      rates.push(await takeMany(take, connections, count, (time) => milliseconds.push(time)))
      await putBack(databaseUrl)
    }
  })
  return { waiting, connections, perSecond: median(rates), milliseconds }
}

const putBack = (databaseUrl: string): Promise<void> =>
  onDatabase(databaseUrl, async (client) => {
    await client.query(
      `update pgboss.job set state = 'created', started_on = null, heartbeat_on = null where state = 'active'`,
    )
    await client.query(
      `update jobs set status = 'queued', attempt = 0, started_at = null where status = 'processing'`,
    )
    await client.query('vacuum jobs')
    await client.query('vacuum pgboss.job')
  })
