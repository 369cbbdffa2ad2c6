import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { readArguments } from '../read-arguments.ts'
import { openEnvironment } from './environment.ts'
import { type Figure, formatSeen, formatTarget, type Verdict, verdict } from './figures.ts'
import { cpuMs, cpuMsWithChildren, watchOthers } from './processes.ts'
import { describeMachine, writeReport } from './report.ts'
import type { Suite, SuiteResult } from './suite.ts'
import { suites } from './suites/index.ts'

// `npm run bench [-- suite … --short --write]`. Exits with status 1 if a figure misses its target.

// The short form runs beside other load, so it only detects large regressions.
const shortTolerance = 0.4

const usage = `npm run bench -- [suite …] [--short] [--write]

suites   ${suites.map(({ name }) => name).join(', ')}; all when none is named
--short  under a minute; a figure may miss its target by ${shortTolerance * 100} %
--write  renews docs/benchmarks.md
`

async function main(): Promise<void> {
  const { values, positionals } = readArguments(usage, {
    short: { type: 'boolean' },
    write: { type: 'boolean' },
  })
  const short = values.short ?? false
  const chosen = choose(positionals)

  const results = new Map<Suite, SuiteResult & { others: number | undefined }>()
  const environment = await openEnvironment()
  const interrupted = () => void environment.close().finally(() => process.exit(130))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupted)
  try {
    for (const suite of chosen) {
      const started = performance.now()
      process.stdout.write(`\n${suite.title}\n`)
      const say = (line: string) => void process.stdout.write(`  ${line}\n`)
      const othersShare = await watchOthers(
        async () => (await cpuMs(process.pid)) + (await cpuMsWithChildren(environment.postmaster)),
      )
      const result = await suite.run(environment, { short, say })
      const seen = await othersShare()
      const others = suite.startsPrograms ? undefined : seen
      results.set(suite, { ...result, others })
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      const about = others === undefined ? '' : `; others used ${Math.round(others * 100)} % of the machine`
      say(`${seconds} s${about}`)
    }
  } finally {
    await environment.close()
  }

  const machine = describeMachine(environment.postgresVersion)
  const file = resolve(import.meta.dirname, '../../.setup/bench/results.json')
  await mkdir(dirname(file), { recursive: true })
  const plain = Object.fromEntries(
    [...results].map(([{ name }, { figures, others }]) => [name, { figures, others }]),
  )
  await writeFile(file, JSON.stringify({ machine, suites: plain }, null, 2))
  if (values.write) await writeReport(suites, results, machine)

  const tolerance = short ? shortTolerance : 0
  const rows = [...results].flatMap(([suite, { figures, others }]) =>
    figures.map((figure) => ({ suite, figure, verdict: verdict(figure, { tolerance, others }) })),
  )
  process.stdout.write(`\n${table(rows)}\n\nWritten to ${file}\n`)
  if (rows.some((row) => row.verdict === 'falls short')) process.exitCode = 1
}

function choose(names: readonly string[]): readonly Suite[] {
  if (names.length === 0) return suites
  return names.map((name) => {
    const suite = suites.find((each) => each.name === name)
    if (!suite) throw new Error(`There is no suite "${name}".\n\n${usage}`)
    return suite
  })
}

interface Row {
  suite: Suite
  figure: Figure
  verdict: Verdict
}

function table(rows: readonly Row[]): string {
  const cells = rows.map(({ suite, figure, verdict: judged }) => [
    suite.name,
    figure.name,
    formatTarget(figure),
    formatSeen(figure),
    judged,
    figure.detail,
  ])
  const all = [['suite', 'figure', 'target', 'seen', '', ''], ...cells]
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? []
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
