import { freePort } from '@kiln/test-support/free-port.ts'
import { onDatabase } from '@kiln/test-support/on-database.ts'
import { type Child, startChild } from '../child.ts'
import type { Environment } from '../environment.ts'
import { atLeast, atMost, type Figure } from '../figures.ts'
import { type BenchAccount, createAccounts, insertJobs, submitJob } from '../jobs.ts'
import { type Comparison, compareRates, connections, cpuFigure, rateFigure, type Side } from '../load.ts'
import type { BareSettings } from '../servers/bare.ts'
import type { KilnApiSettings } from '../servers/kiln-api.ts'
import type { Suite, SuiteOptions } from '../suite.ts'

// Requests to the API alone against a bare server with the same database.

interface Servers {
  databaseUrl: string
  accounts: readonly BenchAccount[]
  /** Base address of the API. */
  base: string
  /** The requests of one connection to either side. */
  compare(ours: Side['requestsOf'], bare: Side['requestsOf']): Promise<Comparison>
  /** Round trips to the database of one call. */
  roundTrips(call: () => Promise<unknown>, most: number): Promise<Figure>
}

async function withServers(
  name: string,
  environment: Environment,
  { short, say }: SuiteOptions,
  work: (servers: Servers) => Promise<Figure[]>,
): Promise<{ figures: Figure[] }> {
  const databaseUrl = await environment.createServiceDatabase(name)
  const accounts = await createAccounts(databaseUrl, 400)
  const folder = await environment.createFolder(name)
  const [port, barePort] = [await freePort(), await freePort()]
  const kiln = await startChild('kiln-api.ts', { databaseUrl, folder, port } satisfies KilnApiSettings)
  const bare = await startChild('bare.ts', { databaseUrl, port: barePort } satisfies BareSettings)
  const sideOf = ({ pid }: Child, at: number, requestsOf: Side['requestsOf']): Side => ({
    origin: `http://127.0.0.1:${at}`,
    pid,
    requestsOf,
  })
  try {
    const figures = await work({
      databaseUrl,
      accounts,
      base: `http://127.0.0.1:${port}/api`,
      compare: (ours, theirs) =>
        compareRates(
          {
            ours: sideOf(kiln, port, ours),
            bare: sideOf(bare, barePort, theirs),
            postmaster: environment.postmaster,
          },
          { rounds: short ? 4 : 11, seconds: 1, say },
        ),
      roundTrips: (call, most) => roundTripsOf(kiln, call, most),
    })
    return { figures }
  } finally {
    await kiln.stop()
    await bare.stop()
  }
}

async function roundTripsOf(kiln: Child, call: () => Promise<unknown>, most: number): Promise<Figure> {
  await call()
  let queries: string[] = []
  // The service also sends queries of its own occasionally: the call with the fewest of several counts.
  for (let round = 0; round < 5; round++) {
    await kiln.ask('watchQueries')
    await call()
    const sent = await kiln.ask<string[]>('takeQueries')
    if (round === 0 || sent.length < queries.length) queries = sent
  }
  const detail = queries.map((text) => `\`${shorten(text)}\``).join(', ')
  return { name: 'round trips to the database', seen: queries.length, unit: '', target: atMost(most), detail }
}

const shorten = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  const from = /^select .* (from .*)$/.exec(flat)
  return (from ? `select … ${from[1]}` : flat).slice(0, 120)
}

const order = JSON.stringify({ pair: 'md-to-html', bytes: 1000 })
const json = { 'content-type': 'application/json' }

export const submitSuite: Suite = {
  name: 'submit',
  title: 'Submit',
  method: `\`POST /v1/conversions\` against a bare Fastify route that does one \`INSERT\` in one transaction, with the same number of database connections; ${connections} clients. Accounts pay with credits, the most expensive kind of submit. Ratios are medians over the rounds.`,
  run: (environment, options) =>
    withServers('submit', environment, options, async ({ accounts, base, compare, roundTrips }) => {
      const { short, say } = options
      const against = (some: readonly BenchAccount[]) =>
        compare(submitsOf(some), () => [{ method: 'POST', path: '/jobs', headers: json, body: order }])
      say('many accounts')
      const many = await against(accounts)
      if (!short) say('one account')
      const one = short ? undefined : await against(accounts.slice(0, 1))
      const key = accounts[1]?.key as string
      return [
        rateFigure(`rate ÷ bare INSERT, ${accounts.length} accounts`, many, atLeast(0.5)),
        cpuFigure('CPU of the bare INSERT ÷ CPU of a submit', many, atLeast(0.5)),
        ...(one ? [rateFigure('rate ÷ bare INSERT, all on one account', one)] : []),
        await roundTrips(() => submitJob(base, key, 1000), 2),
      ]
    }),
}

/** Every connection begins at a different position of the list, so that they do not use the same account at the same time. */
const submitsOf =
  (accounts: readonly BenchAccount[]): Side['requestsOf'] =>
  (connection) => {
    const start = Math.floor((connection * accounts.length) / connections)
    return [...accounts.slice(start), ...accounts.slice(0, start)].map(({ key }) => ({
      method: 'POST',
      path: '/api/v1/conversions',
      headers: { ...json, authorization: `Bearer ${key}` },
      body: order,
    }))
  }

const jobCount = 4000

export const pollSuite: Suite = {
  name: 'poll',
  title: 'Poll',
  method: `\`GET /v1/conversions/{id}\` against a bare Fastify route that does one \`SELECT\` by key, in the same way. Half of the ${jobCount.toLocaleString('en-US')} jobs are queued, half are done.`,
  run: (environment, options) =>
    withServers(
      'poll',
      environment,
      options,
      async ({ databaseUrl, accounts, base, compare, roundTrips }) => {
        const jobs = await insertJobs(databaseUrl, accounts, jobCount)
        // The same ids on both sides.
        await onDatabase(databaseUrl, (client) =>
          client.query('insert into bare_jobs (id, pair, bytes) select id, pair, bytes from jobs'),
        )
        const size = jobs.length / connections
        const slice = (connection: number) => jobs.slice(connection * size, (connection + 1) * size)
        const headersOf = (key: string) => ({ authorization: `Bearer ${key}` })
        const seen = await compare(
          (connection) =>
            slice(connection).map(({ id, key }) => ({
              method: 'GET',
              path: `/api/v1/conversions/${id}`,
              headers: headersOf(key),
            })),
          (connection) => slice(connection).map(({ id }) => ({ method: 'GET', path: `/jobs/${id}` })),
        )
        const first = jobs[0] as { id: string; key: string }
        const poll = async () => {
          const answer = await fetch(`${base}/v1/conversions/${first.id}`, { headers: headersOf(first.key) })
          if (answer.status !== 200) throw new Error(`poll answered ${answer.status}`)
          await answer.arrayBuffer()
        }
        return [
          rateFigure('rate ÷ bare SELECT', seen, atLeast(0.6)),
          cpuFigure('CPU of the bare SELECT ÷ CPU of a poll', seen, atLeast(0.5)),
          await roundTrips(poll, 1),
        ]
      },
    ),
}
