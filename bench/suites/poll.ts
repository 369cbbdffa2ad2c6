import { type BenchAccount, createAccounts } from '../accounts.ts'
import { atLeast, atMost } from '../figures.ts'
import { compareRates, connections, cpuFigure, rateFigure, type Side } from '../load.ts'
import { barChart } from '../plots/bar-chart.ts'
import { startBareServer, startKilnApi } from '../start-servers.ts'
import type { Suite } from '../suite.ts'
import { onDatabase } from '../surroundings.ts'
import { describeQueries } from './queries.ts'

const jobCount = 4000

export const pollSuite: Suite = {
  name: 'poll',
  title: 'Poll',
  method: `\`GET /v1/conversions/{id}\` against a bare Fastify route that does one \`SELECT\` by key, in the same manner. Half of the ${jobCount.toLocaleString('en-US')} jobs are queued, half are done: the answer to those carries a signed download link.`,
  async run(surroundings, { short, say }) {
    const databaseUrl = await surroundings.createServiceDatabase('poll')
    const accounts = await createAccounts(databaseUrl, 400)
    const kiln = await startKilnApi(databaseUrl, await surroundings.createFolder('poll'))
    const bare = await startBareServer(databaseUrl, await surroundings.createFolder('poll-bare'))
    try {
      const jobs = await insertJobs(databaseUrl, accounts)
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
        { ours: kilnSide, bare: bareSide, postmaster: surroundings.postmaster },
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
          rateFigure('rate ÷ bare SELECT', seen, atLeast(0.5)),
          cpuFigure('CPU of the bare SELECT ÷ CPU of a poll', seen, atLeast(0.5)),
          {
            name: 'round trips to the database',
            seen: queries.count,
            unit: '',
            target: atMost(1),
            detail: queries.detail,
          },
        ],
        notes: [],
        plots: [
          {
            file: 'poll.svg',
            alt: 'Poll rate beside the bare SELECT, round by round',
            svg: barChart({
              title: 'Poll: requests per second, per round',
              groups: seen.ours.rates.map((_, round) => String(round + 1)),
              series: [
                { name: 'Kiln', values: seen.ours.rates },
                { name: 'bare SELECT', values: seen.bare.rates },
              ],
            }),
          },
        ],
      }
    } finally {
      await kiln.stop()
      await bare.stop()
    }
  },
}

/** The same ids on both sides. */
function insertJobs(
  databaseUrl: string,
  accounts: readonly BenchAccount[],
): Promise<{ id: string; key: string }[]> {
  return onDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; account: number }>(
      `with made as (
         insert into jobs (account_id, pair, lane, bytes, upload_expires_at, status, outcome, output_object,
                           output_bytes, finished_at, expires_at)
         select ($1::uuid[])[1 + n % $2::int], 'md-to-html', 'document', 1000, now() + interval '1 hour',
                case when n % 2 = 0 then 'queued' else 'done' end,
                case when n % 2 = 1 then 'done' end,
                case when n % 2 = 1 then 'out/' || gen_random_uuid() || '.1' end,
                case when n % 2 = 1 then 2000 end,
                case when n % 2 = 1 then now() end,
                case when n % 2 = 1 then now() + interval '1 hour' end
         from generate_series(1, $3::int) n
         returning id, account_id
       )
       select id, array_position($1::uuid[], account_id) - 1 as account from made`,
      [accounts.map(({ id }) => id), accounts.length, jobCount],
    )
    await client.query(`insert into bare_jobs (id, pair, bytes) select id, pair, bytes from jobs`)
    await client.query('analyze')
    return rows.map(({ id, account }) => ({ id, key: (accounts[account] as BenchAccount).key }))
  })
}
