import { onDatabase } from '@kiln/test-support/on-database.ts'
import { createAccounts } from '../accounts.ts'
import { atLeast, atMost } from '../figures.ts'
import { insertJobs } from '../insert-jobs.ts'
import { compareRates, connections, cpuFigure, rateFigure, type Side } from '../load.ts'
import { startBareServer, startKilnApi } from '../start-servers.ts'
import type { Suite } from '../suite.ts'
import { describeQueries } from './queries.ts'

const jobCount = 4000

export const pollSuite: Suite = {
  name: 'poll',
  title: 'Poll',
  method: `\`GET /v1/conversions/{id}\` against a bare Fastify route that does one \`SELECT\` by key, in the same way. Half of the ${jobCount.toLocaleString('en-US')} jobs are queued, half are done.`,
  async run(environment, { short, say }) {
    const databaseUrl = await environment.createServiceDatabase('poll')
    const accounts = await createAccounts(databaseUrl, 400)
    const kiln = await startKilnApi(databaseUrl, await environment.createFolder('poll'))
    const bare = await startBareServer(databaseUrl)
    try {
      const jobs = await insertJobs(databaseUrl, accounts, jobCount)
      // The same ids on both sides.
      await onDatabase(databaseUrl, (client) =>
        client.query('insert into bare_jobs (id, pair, bytes) select id, pair, bytes from jobs'),
      )
      const slice = (connection: number) => {
        const size = jobs.length / connections
        return jobs.slice(connection * size, (connection + 1) * size)
      }
      const kilnSide: Side = {
        origin: kiln.origin,
        pid: kiln.pid,
        requestsOf: (connection) =>
          slice(connection).map(({ id, key }) => ({
            method: 'GET',
            path: `/api/v1/conversions/${id}`,
            headers: { authorization: `Bearer ${key}` },
          })),
      }
      const bareSide: Side = {
        origin: bare.origin,
        pid: bare.pid,
        requestsOf: (connection) =>
          slice(connection).map(({ id }) => ({ method: 'GET', path: `/jobs/${id}` })),
      }
      const seen = await compareRates(
        { ours: kilnSide, bare: bareSide, postmaster: environment.postmaster },
        { rounds: short ? 4 : 11, seconds: 1, say },
      )
      const first = jobs[0] as { id: string; key: string }
      const queries = await describeQueries(kiln, async () => {
        const answer = await fetch(`${kiln.base}/v1/conversions/${first.id}`, {
          headers: { authorization: `Bearer ${first.key}` },
        })
        if (answer.status !== 200) throw new Error(`poll answered ${answer.status}`)
        await answer.arrayBuffer()
      })
      return {
        figures: [
          rateFigure('rate ÷ bare SELECT', seen, atLeast(0.6)),
          cpuFigure('CPU of the bare SELECT ÷ CPU of a poll', seen, atLeast(0.5)),
          {
            name: 'round trips to the database',
            seen: queries.count,
            unit: '',
            target: atMost(1),
            detail: queries.detail,
          },
        ],
      }
    } finally {
      await kiln.stop()
      await bare.stop()
    }
  },
}
