import type { EvaluatedDocument } from './corpus.ts'
import { mean, type Scores } from './scorer.ts'

// Means per benchmark and metric. Owners have equal weight, regardless of their number of documents.

export type Results = Readonly<Record<string, Scores>>

export interface Difference {
  benchmark: string
  metric: string
  owners: number
  before: number
  after: number
  /** Bounds of the 95 % confidence interval of `after - before`. */
  low: number
  high: number
}

const resamples = 1000

export function compare(
  documents: readonly EvaluatedDocument[],
  before: Results,
  after: Results,
): Difference[] {
  const out: Difference[] = []
  for (const benchmark of new Set(documents.map((d) => d.benchmark))) {
    const own = documents.filter((d) => d.benchmark === benchmark && after[d.id])
    for (const metric of new Set(own.flatMap((d) => Object.keys(after[d.id] ?? {})))) {
      const pairs = ownerMeans(own, metric, before, after)
      if (pairs.length === 0) continue
      const [low, high] = interval(pairs.map(([a, b]) => b - a))
      out.push({
        benchmark,
        metric,
        owners: pairs.length,
        before: mean(pairs.map(([a]) => a)),
        after: mean(pairs.map(([, b]) => b)),
        low,
        high,
      })
    }
  }
  return out
}

function ownerMeans(
  documents: readonly EvaluatedDocument[],
  metric: string,
  before: Results,
  after: Results,
): [before: number, after: number][] {
  const byOwner = Map.groupBy(documents, (d) => d.owner)
  return [...byOwner.values()].flatMap((own) => {
    const both = own.flatMap((d) => {
      const [a, b] = [before[d.id]?.[metric], after[d.id]?.[metric]]
      return a === undefined || b === undefined ? [] : [{ a, b }]
    })
    return both.length === 0 ? [] : [[mean(both.map((x) => x.a)), mean(both.map((x) => x.b))]]
  })
}

/** Bootstrap over owners; the generator has a fixed seed, so that a run can be repeated. */
function interval(differences: readonly number[]): [low: number, high: number] {
  let seed = 1
  const random = (): number => {
    seed = (seed * 48271) % 2147483647
    return seed / 2147483647
  }
  const means = Array.from({ length: resamples }, () =>
    mean(differences.map(() => differences[Math.floor(random() * differences.length)] ?? 0)),
  ).sort((a, b) => a - b)
  return [means[Math.floor(0.025 * resamples)] ?? 0, means[Math.floor(0.975 * resamples)] ?? 0]
}

export function formatDifferences(differences: readonly Difference[]): string {
  const rows = differences.map(({ benchmark, metric, owners, before, after, low, high }) => {
    const change = after - before
    const sign = (x: number): string => `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(3)}`
    const sure = low > 0 || high < 0 ? ' *' : ''
    return `| ${benchmark} | ${metric} | ${owners} | ${before.toFixed(3)} | ${after.toFixed(3)} | ${sign(change)} (${sign(low)} to ${sign(high)})${sure} |`
  })
  return [
    '| benchmark | metric | owners | before | after | change (95 % interval) |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
