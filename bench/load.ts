import type { Figure, Target } from './figures.ts'
import { type LoadRequest, openLoadGenerator } from './load-generator.ts'
import { cpuMs, cpuMsWithChildren } from './process-facts.ts'
import { median } from './statistics.ts'

// Load from this process onto servers in other processes. The two sides take turns in short rounds,
// and every round gives one ratio: what else happens on the machine then hits both sides alike.

export const connections = 32

export interface Side {
  origin: string
  pid: number
  /** The requests that one connection sends, over and over. */
  requestsOf(connection: number): readonly LoadRequest[]
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
  a.close()
  b.close()
  const [resultA, resultB] = [a.result(), b.result()]
  const ratios = resultA.rates.map((rate, round) => rate / (resultB.rates[round] as number))
  return { ratio: median(ratios), ratios, ours: resultA, bare: resultB }
}

/** Warms the side up, then sums what its rounds cost. */
async function openMeter(side: Side, postmaster: number) {
  const requests = Array.from({ length: connections }, (_, connection) => side.requestsOf(connection))
  const generator = await openLoadGenerator(side.origin, requests)
  await generator.run(1)
  const rates: number[] = []
  let [answers, serverMs, databaseMs] = [0, 0, 0]
  return {
    async run(seconds: number): Promise<number> {
      const [server, database] = [await cpuMs(side.pid), await cpuMsWithChildren(postmaster)]
      const seen = await generator.run(seconds)
      serverMs += (await cpuMs(side.pid)) - server
      databaseMs += (await cpuMsWithChildren(postmaster)) - database
      answers += seen.answers
      rates.push(seen.answers / seen.seconds)
      return seen.answers / seen.seconds
    },
    result: (): SideResult => ({ rates, serverCpu: serverMs / answers, databaseCpu: databaseMs / answers }),
    close: generator.close,
  }
}

export function rateFigure(name: string, seen: Comparison, target?: Target): Figure {
  const rates = `${median(seen.ours.rates).toFixed(0)}/s against ${median(seen.bare.rates).toFixed(0)}/s`
  return {
    name,
    seen: seen.ratio,
    unit: '×',
    sensitive: true,
    ...(target ? { target } : {}),
    detail: `${rates}; rounds ${spread(seen.ratios)}`,
  }
}

/** On a busy machine this is steadier than rates are. */
export function cpuFigure(name: string, { ours, bare }: Comparison, target: Target): Figure {
  const cpu = (side: SideResult) => `${side.serverCpu.toFixed(2)} + ${side.databaseCpu.toFixed(2)} ms`
  return {
    name,
    seen: (bare.serverCpu + bare.databaseCpu) / (ours.serverCpu + ours.databaseCpu),
    unit: '×',
    target,
    detail: `server + PostgreSQL: ${cpu(ours)} against ${cpu(bare)}`,
  }
}

export const spread = (values: readonly number[]): string =>
  `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`
