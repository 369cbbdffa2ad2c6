import { type Half, halfOf } from '../halves.ts'

// Results of the yardstick by benchmark, metric and half.

/** The figures of one file by metric; null if a metric does not apply. */
export type FileScores = Readonly<Record<string, unknown>>

export interface Summary {
  benchmark: string
  metric: string
  fit: number | undefined
  measure: number | undefined
}

const metrics: Readonly<Record<string, readonly string[]>> = {
  odl: ['overall', 'nid', 'teds', 'mhs'],
  icdar: ['adjacency F1', 'TEDS', 'GriTS'],
  ppb: ['TEDS', 'latex', 'text'],
  jose: ['overall', 'nid', 'teds', 'mhs', 'lists', 'code', 'latex', 'pictures'],
  olmocr: ['passed'],
  word: ['score', 'text', 'paragraphs', 'tables', 'headings', 'lists', 'visual'],
  printed: ['score', 'text', 'paragraphs', 'tables', 'headings', 'lists', 'visual'],
  business: ['words', 'runs', 'pairs', 'rows'],
  scripts: ['letters', 'paragraphs', 'order', 'cells'],
}
/** The benchmarks in the folder. */
export const benchmarks = ['odl', 'icdar', 'ppb', 'jose', 'olmocr']

/** One figure of the file, or one for each of its tables, with equal weight. */
function valuesOf(scores: FileScores, metric: string): number[] {
  const own = scores[metric]
  if (typeof own === 'number') return [own]
  const { _: tables } = scores as { _?: Readonly<Record<string, unknown>> }
  const each = tables?.[metric.toLowerCase()]
  return Array.isArray(each) ? each.filter((value) => typeof value === 'number') : []
}

export function summarise(benchmark: string, files: Readonly<Record<string, FileScores>>): Summary[] {
  const mean = (metric: string, half: Half): number | undefined => {
    const values = Object.entries(files)
      .filter(([id]) => halfOf(id) === half)
      .flatMap(([, scores]) => valuesOf(scores, metric))
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
  }
  return (metrics[benchmark] ?? [])
    .map((metric) => ({ benchmark, metric, fit: mean(metric, 'fit'), measure: mean(metric, 'measure') }))
    .filter(({ fit, measure }) => fit !== undefined || measure !== undefined)
}
