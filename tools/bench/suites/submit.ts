import { type BenchAccount, createAccounts } from '../accounts.ts'
import { atLeast, atMost } from '../figures.ts'
import { compareRates, connections, cpuFigure, rateFigure, type Side } from '../load.ts'
import { type KilnApi, startBareServer, startKilnApi } from '../start-servers.ts'
import { submitJob } from '../submit-job.ts'
import type { Suite } from '../suite.ts'
import { describeQueries } from './queries.ts'

const order = JSON.stringify({ pair: 'md-to-html', bytes: 1000 })
const json = { 'content-type': 'application/json' }

export const submitSuite: Suite = {
  name: 'submit',
  title: 'Submit',
  method: `\`POST /v1/conversions\` against a bare Fastify route that does one \`INSERT\` in one transaction, with the same number of database connections; ${connections} clients. Accounts pay with credits, the most expensive kind of submit. Ratios are medians over the rounds.`,
  async run(environment, { short, say }) {
    const databaseUrl = await environment.createServiceDatabase('submit')
    const accounts = await createAccounts(databaseUrl, 400)
    const kiln = await startKilnApi(databaseUrl, await environment.createFolder('submit'))
    const bare = await startBareServer(databaseUrl)
    const { postmaster } = environment
    try {
      const effort = { rounds: short ? 4 : 11, seconds: 1, say }
      const bareSide: Side = {
        origin: bare.origin,
        pid: bare.pid,
        requestsOf: () => [{ method: 'POST', path: '/jobs', headers: json, body: order }],
      }
      say('many accounts')
      const many = await compareRates({ ours: kilnSide(kiln, accounts), bare: bareSide, postmaster }, effort)
      const oneAccount = async () => {
        say('one account')
        const ours = kilnSide(kiln, accounts.slice(0, 1))
        const seen = await compareRates({ ours, bare: bareSide, postmaster }, effort)
        return rateFigure('rate ÷ bare INSERT, all on one account', seen)
      }
      const one = short ? [] : [await oneAccount()]
      const key = accounts[1]?.key as string
      const queries = await describeQueries(kiln, async () => void (await submitJob(kiln.base, key, 1000)))
      return {
        figures: [
          rateFigure(`rate ÷ bare INSERT, ${accounts.length} accounts`, many, atLeast(0.5)),
          cpuFigure('CPU of the bare INSERT ÷ CPU of a submit', many, atLeast(0.5)),
          ...one,
          {
            name: 'round trips to the database',
            seen: queries.count,
            unit: '',
            target: atMost(2),
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

function kilnSide(kiln: KilnApi, accounts: readonly BenchAccount[]): Side {
  return {
    origin: kiln.origin,
    pid: kiln.pid,
    // Every connection begins at a different position of the list, so that they do not use the same account at the same
    // time.
    requestsOf(connection) {
      const start = Math.floor((connection * accounts.length) / connections)
      return accounts.map((_, index) => {
        const account = accounts[(start + index) % accounts.length] as BenchAccount
        return {
          method: 'POST',
          path: '/api/v1/conversions',
          headers: { ...json, authorization: `Bearer ${account.key}` },
          body: order,
        }
      })
    },
  }
}
