import { chmod, mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStoppablePostgres } from '@kiln/test-support/stoppable-postgres.ts'
import { type BenchAccount, createAccounts } from '../accounts.ts'
import { type Environment, makeTables } from '../environment.ts'
import { atLeast, atMost, type Figure } from '../figures.ts'
import { insertJobs } from '../insert-jobs.ts'
import { pollAtPace } from '../paced-polls.ts'
import { startKilnApi } from '../start-servers.ts'
import { percentile } from '../statistics.ts'
import type { Suite, SuiteOptions } from '../suite.ts'

const clients = 2000
const everyMilliseconds = 1500

export const overloadSuite: Suite = {
  name: 'overload',
  title: 'Many clients, and no database',
  method: `${clients.toLocaleString('en-US')} clients poll one job each every ${everyMilliseconds / 1000} s; a poll's time counts from the moment when it was due. Then PostgreSQL is stopped and started again while calls are made.`,
  async run(environment, options) {
    const crowd = await manyClients(environment, options)
    const away = await withoutDatabase(environment, options)
    return {
      figures: [...crowd.figures, ...away],
    }
  },
}

async function manyClients(environment: Environment, { short, say }: SuiteOptions) {
  const databaseUrl = await environment.createServiceDatabase('overload')
  const accounts = await createAccounts(databaseUrl, 200)
  const jobs = await insertJobs(databaseUrl, accounts, clients)
  const api = await startKilnApi(databaseUrl, await environment.createFolder('overload'))
  try {
    const pace = { origin: api.origin, jobs, everyMilliseconds }
    await pollAtPace({ ...pace, seconds: 3 })
    const seen = await pollAtPace({ ...pace, seconds: short ? 5 : 30 })
    const p = (percent: number) => percentile(seen.milliseconds, percent)
    const detail = `${seen.milliseconds.length} polls; p50 ${p(50).toFixed(1)} ms, p90 ${p(90).toFixed(1)} ms, p99 ${p(99).toFixed(1)} ms, p100 ${p(100).toFixed(1)} ms`
    const answers = [...seen.statuses].map(([status, count]) => `${status}: ${count}`).join(', ')
    const others = [...seen.statuses].reduce((sum, [status, count]) => sum + (status === 200 ? 0 : count), 0)
    say(`${seen.perSecond.toFixed(0)} polls/s; ${detail}; ${answers}`)
    const figures: Figure[] = [
      { name: 'answers that are not 200', seen: others, unit: '', target: atMost(0), detail: answers },
      { name: 'poll, p99', seen: p(99), unit: 'ms', target: atMost(250), sensitive: true, detail },
      {
        name: 'polls per second',
        seen: seen.perSecond,
        unit: 'requests/s',
        target: atLeast(1250),
        sensitive: true,
        detail: `${clients} clients ÷ ${everyMilliseconds / 1000} s is ${((clients / everyMilliseconds) * 1000).toFixed(0)}/s`,
      },
    ]
    return { figures, milliseconds: seen.milliseconds }
  } finally {
    await api.stop()
  }
}

async function withoutDatabase(environment: Environment, { short, say }: SuiteOptions): Promise<Figure[]> {
  const root = await environment.createFolder('away')
  await chmod(root, 0o755)
  const database = await openStoppablePostgres(root)
  const refusals: number[] = []
  const returns: number[] = []
  const strange: string[] = []
  try {
    await makeTables(database.connectionString)
    const [account] = await createAccounts(database.connectionString, 1)
    const folder = `${root}/api`
    await mkdir(folder)
    const api = await startKilnApi(database.connectionString, folder)
    const headers = { authorization: `Bearer ${(account as BenchAccount).key}` }
    const call = async (path: string) => {
      const began = performance.now()
      const answer = await fetch(api.origin + path, { headers })
      await answer.arrayBuffer()
      return { status: answer.status, milliseconds: performance.now() - began }
    }
    try {
      for (let round = 0; round < (short ? 1 : 5); round++) {
        await database.stop()
        for (const end = Date.now() + 3000; Date.now() < end; await sleep(20)) {
          for (const { status, milliseconds } of await Promise.all([
            call('/api/v1/usage'),
            call('/readyz'),
          ])) {
            refusals.push(milliseconds)
            if (status !== 503) strange.push(String(status))
          }
        }
        await database.start()
        const began = performance.now()
        while ((await call('/readyz')).status !== 200 || (await call('/api/v1/usage')).status !== 200)
          await sleep(10)
        returns.push(performance.now() - began)
        say(`healthy again after ${(returns.at(-1) as number).toFixed(0)} ms`)
      }
    } finally {
      await api.stop()
    }
  } finally {
    await database.end()
  }
  return [
    {
      name: 'database away: slowest refusal',
      seen: Math.max(...refusals),
      unit: 'ms',
      target: atMost(2000),
      sensitive: true,
      detail: `${refusals.length} calls, ${strange.length === 0 ? 'all answered 503' : `others: ${strange.join(', ')}`}`,
    },
    {
      name: 'database back: healthy again after',
      seen: Math.max(...returns),
      unit: 'ms',
      target: atMost(5000),
      sensitive: true,
      detail: `the slowest of ${returns.length} returns`,
    },
  ]
}
