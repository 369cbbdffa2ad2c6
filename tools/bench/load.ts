import { busyShare, type Figure, type Target } from './figures.ts'
import { type LoadRequest, openLoadGenerator } from './load-generator.ts'
import { cpuMs, cpuMsWithChildren, watchOthers } from './processes.ts'
import { median } from './statistics.ts'

// Load from this process on servers in other processes. The two sides alternate in short rounds, and every round gives
// one ratio, so that other load on the machine affects both sides equally.

export const connections = 32

export interface Side {
  origin: string
  pid: number
  /** The requests that one connection sends repeatedly. */
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
  /** Share of the machine that other processes used in these rounds. */
  others: number
  ours: SideResult
  bare: SideResult
}

export interface Effort {
  /** Number of rounds; on a busy machine up to twice as many are tried, to find quiet ones. */
  rounds: number
  seconds: number
  say: (line: string) => void
}

interface Round {
  ours: number
  bare: number
  others: number
}

export async function compareRates(
  { ours, bare, postmaster }: { ours: Side; bare: Side; postmaster: number },
  { rounds, seconds, say }: Effort,
): Promise<Comparison> {
  const a = await openMeter(ours, postmaster)
  const b = await openMeter(bare, postmaster)
  const ownCpu = async () =>
    (await cpuMs(process.pid)) +
    (await cpuMs(ours.pid)) +
    (await cpuMs(bare.pid)) +
    (await cpuMsWithChildren(postmaster))
  const all: Round[] = []
  const quiet = () => all.filter(({ others }) => others <= busyShare)
  while (all.length < rounds || (quiet().length < rounds && all.length < 2 * rounds)) {
    const othersShare = await watchOthers(ownCpu)
    const round = { ours: await a.run(seconds), bare: await b.run(seconds), others: await othersShare() }
    all.push(round)
    const rates = `${round.ours.toFixed(0)}/s against ${round.bare.toFixed(0)}/s`
    const ratio = (round.ours / round.bare).toFixed(2)
    say(`${rates}, ratio ${ratio}; others used ${Math.round(round.others * 100)} %`)
  }
  a.close()
  b.close()
  // A few quiet rounds are more reliable than many in which other processes used the CPU.
  const counted = quiet().length >= fewestRounds ? quiet() : all
  const ratios = counted.map((round) => round.ours / round.bare)
  return {
    ratio: median(ratios),
    ratios,
    others: median(counted.map(({ others }) => others)),
    ours: { rates: counted.map((round) => round.ours), ...a.cost() },
    bare: { rates: counted.map((round) => round.bare), ...b.cost() },
  }
}

const fewestRounds = 3

/** Warms up the side, then sums the cost of its rounds. */
async function openMeter(side: Side, postmaster: number) {
  const requests = Array.from({ length: connections }, (_, connection) => side.requestsOf(connection))
  const generator = await openLoadGenerator(side.origin, requests)
  await generator.run(1)
  let [answers, serverMs, databaseMs] = [0, 0, 0]
  return {
    async run(seconds: number): Promise<number> {
      const [server, database] = [await cpuMs(side.pid), await cpuMsWithChildren(postmaster)]
      const seen = await generator.run(seconds)
      serverMs += (await cpuMs(side.pid)) - server
      databaseMs += (await cpuMsWithChildren(postmaster)) - database
      answers += seen.answers
      return seen.answers / seen.seconds
    },
    cost: () => ({ serverCpu: serverMs / answers, databaseCpu: databaseMs / answers }),
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
    others: seen.others,
    ...(target ? { target } : {}),
    detail: `${rates}; ${seen.ratios.length} rounds ${spread(seen.ratios)}; others used ${Math.round(seen.others * 100)} %`,
  }
}

/** On a busy machine this is more stable than rates. */
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

const spread = (values: readonly number[]): string =>
  `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`
