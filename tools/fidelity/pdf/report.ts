import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { barChart } from '../../plots/bar-chart.ts'
import type { Summary } from './scores.ts'

// The figures as a table beside the stored ones; stored and drawn in docs/fidelity on request.

const docs = resolve(import.meta.dirname, '../../../docs/fidelity')

export interface Report {
  /** Base name of the files in docs/fidelity. */
  name: string
  title: string
  /** Benchmarks and metrics in the chart: more would not fit side by side. */
  drawn: ReadonlySet<string>
}

export async function report(
  { name, title, drawn }: Report,
  found: readonly Summary[],
  keep: boolean,
): Promise<void> {
  const file = join(docs, `${name}.json`)
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Summary[]) : undefined
  console.log(table(found, kept))
  if (!keep) return
  await mkdir(docs, { recursive: true })
  await writeFile(file, `${JSON.stringify(found, undefined, 2)}\n`)
  const main = found.filter(({ benchmark, metric }) => drawn.has(`${benchmark} ${metric}`))
  const hundredths = (value: number | undefined): number => Math.round(1000 * (value ?? 0)) / 10
  await writeFile(
    join(docs, `${name}.svg`),
    barChart({
      title,
      groups: main.map(({ benchmark, metric }) => `${benchmark} ${metric}`),
      series: [
        { name: 'half for making rules', values: main.map(({ fit }) => hundredths(fit)) },
        { name: 'other half', values: main.map(({ measure }) => hundredths(measure)) },
      ],
    }),
  )
}

function table(found: readonly Summary[], kept: readonly Summary[] | undefined): string {
  const rows = found.map((own) => {
    const last = kept?.find((k) => k.benchmark === own.benchmark && k.metric === own.metric)
    return `| ${own.benchmark} | ${own.metric} | ${figure(own.fit, last?.fit)} | ${figure(own.measure, last?.measure)} |`
  })
  return ['| benchmark | metric | fit half | measure half |', '|---|---|---|---|', ...rows].join('\n')
}

/** The figure and its difference from the stored one. */
function figure(value: number | undefined, last: number | undefined): string {
  if (value === undefined) return '–'
  if (last === undefined) return value.toFixed(3)
  return `${value.toFixed(3)} (${value < last ? '−' : '+'}${Math.abs(value - last).toFixed(3)})`
}
