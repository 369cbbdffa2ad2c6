import autocannon, { type Request } from 'autocannon'
import { median } from './statistics.ts'

// Load from this process onto servers in other processes. The two sides of a comparison take turns,
// and every round gives one ratio: what else happens on the machine then hits both sides alike.

export const connections = 32

export interface Side {
  url: string
  /** The requests that one connection sends, over and over. */
  requestsOf(connection: number): readonly Request[]
}

export interface Comparison {
  ratio: number
  ratios: number[]
  ours: number[]
  bare: number[]
}

export async function compareRates(
  ours: Side,
  bare: Side,
  { rounds, seconds, say }: { rounds: number; seconds: number; say: (line: string) => void },
): Promise<Comparison> {
  await rate(ours, 1)
  await rate(bare, 1)
  const seen: Comparison = { ratio: 0, ratios: [], ours: [], bare: [] }
  for (let round = 1; round <= rounds; round++) {
    const a = await rate(ours, seconds)
    const b = await rate(bare, seconds)
    seen.ours.push(a)
    seen.bare.push(b)
    seen.ratios.push(a / b)
    say(`round ${round}: ${a.toFixed(0)}/s against ${b.toFixed(0)}/s, ratio ${(a / b).toFixed(2)}`)
  }
  return { ...seen, ratio: median(seen.ratios) }
}

async function rate(side: Side, seconds: number): Promise<number> {
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
  return result.requests.total / result.duration
}

export const spread = (values: readonly number[]): string =>
  `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`
