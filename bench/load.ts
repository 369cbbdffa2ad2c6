import autocannon, { type Request } from 'autocannon'
import { cpuMs, cpuMsWithChildren } from './process-facts.ts'
import { median } from './statistics.ts'

// Load from this process onto servers in other processes. The two sides take turns in short rounds,
// and every round gives one ratio: what else happens on the machine then hits both sides alike.

export const connections = 32

export interface Side {
  url: string
  pid: number
  /** The requests that one connection sends, over and over. */
  requestsOf(connection: number): readonly Request[]
}

export interface SideResult {
  /** Requests per second, round by round. */
  rates: number[]
  /** CPU milliseconds per request, of the server and of PostgreSQL. */
  serverCpu: number
  databaseCpu: number
}

export interface Comparison {
  ratio: number
  ratios: number[]
  ours: SideResult
  bare: SideResult
}

export interface Effort {
  rounds: number
  seconds: number
  say: (line: string) => void
}

export async function compareRates(
  { ours, bare, postmaster }: { ours: Side; bare: Side; postmaster: number },
  { rounds, seconds, say }: Effort,
): Promise<Comparison> {
  const a = await openMeter(ours, postmaster)
  const b = await openMeter(bare, postmaster)
  for (let round = 1; round <= rounds; round++) {
    const [rateA, rateB] = [await a.run(seconds), await b.run(seconds)]
    say(`${rateA.toFixed(0)}/s against ${rateB.toFixed(0)}/s, ratio ${(rateA / rateB).toFixed(2)}`)
  }
  const [resultA, resultB] = [a.result(), b.result()]
  const ratios = resultA.rates.map((rate, round) => rate / (resultB.rates[round] as number))
  return { ratio: median(ratios), ratios, ours: resultA, bare: resultB }
}

/** Warms the side up, then sums what its rounds cost. */
async function openMeter(side: Side, postmaster: number) {
  await load(side, 1)
  const rates: number[] = []
  let [requests, serverMs, databaseMs] = [0, 0, 0]
  return {
    async run(seconds: number): Promise<number> {
      const [server, database] = [await cpuMs(side.pid), await cpuMsWithChildren(postmaster)]
      const { total, duration } = await load(side, seconds)
      serverMs += (await cpuMs(side.pid)) - server
      databaseMs += (await cpuMsWithChildren(postmaster)) - database
      requests += total
      rates.push(total / duration)
      return total / duration
    },
    result: (): SideResult => ({ rates, serverCpu: serverMs / requests, databaseCpu: databaseMs / requests }),
  }
}

async function load(side: Side, seconds: number): Promise<{ total: number; duration: number }> {
  let connection = 0
  const result = await autocannon({
    url: side.url,
    connections,
    duration: seconds,
    setupClient: (client) => {
      client.setRequests(side.requestsOf(connection))
      connection += 1
    },
  })
  const bad = result.non2xx + result.errors + result.timeouts
  if (bad > 0) throw new Error(`${bad} of ${result.requests.total} requests to ${side.url} went wrong.`)
  return { total: result.requests.total, duration: result.duration }
}

export function describe({ ours, bare, ratios }: Comparison): string {
  const rates = `${median(ours.rates).toFixed(0)}/s against ${median(bare.rates).toFixed(0)}/s`
  const cpu = (side: SideResult) => `${side.serverCpu.toFixed(2)} + ${side.databaseCpu.toFixed(2)} ms`
  return `${rates}; rounds ${spread(ratios)}; CPU per request (server + PostgreSQL) ${cpu(ours)} against ${cpu(bare)}`
}

export const spread = (values: readonly number[]): string =>
  `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`
