import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Figure, formatSeen, formatTarget, verdict } from './figures.ts'
import type { Suite, SuiteResult } from './suite.ts'

// docs/benchmarks.md, generated from docs/benchmarks/results.json. A run of some suites updates only theirs.

export interface Machine {
  cores: number
  processor: string
  memoryGB: number
  node: string
  postgres: string
}

export const describeMachine = (postgres: string): Machine => ({
  cores: availableParallelism(),
  processor: cpus()[0]?.model ?? 'unknown',
  memoryGB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  postgres,
})

interface Stored {
  machine: Machine
  /** Share of the machine that other processes used. */
  others: number | undefined
  figures: Figure[]
}

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
const resultsPath = join(docs, 'benchmarks/results.json')

export async function writeReport(
  suites: readonly Suite[],
  results: ReadonlyMap<Suite, SuiteResult & { others: number | undefined }>,
  machine: Machine,
): Promise<void> {
  await mkdir(join(docs, 'benchmarks'), { recursive: true })
  const stored = await readStored()
  for (const [suite, { figures, others }] of results) stored[suite.name] = { machine, others, figures }
  await writeFile(resultsPath, `${JSON.stringify(stored, null, 2)}\n`)
  await writeFile(join(docs, 'benchmarks.md'), page(suites, stored))
}

async function readStored(): Promise<Record<string, Stored>> {
  try {
    return JSON.parse(await readFile(resultsPath, 'utf8')) as Record<string, Stored>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

function page(suites: readonly Suite[], stored: Record<string, Stored>): string {
  const measured = suites.flatMap((suite) => {
    const result = stored[suite.name]
    return result ? [{ suite, result }] : []
  })
  const machines = [...new Set(measured.map(({ result }) => describe(result.machine)))]
  return [
    '# Benchmarks',
    '',
    'Written by `npm run bench -- --write`. Both sides of a ratio run in turns on the same machine, with PostgreSQL’s fsync on. [results.json](benchmarks/results.json) has the details of each figure: rates, percentiles, CPU times, rounds.',
    '',
    ...machines.map((machine, index) => `- Machine ${nameOf(index)}: ${machine}`),
    '',
    ...measured.flatMap(({ suite, result }) =>
      section(suite, result, nameOf(machines.indexOf(describe(result.machine)))),
    ),
  ].join('\n')
}

const nameOf = (index: number) => String.fromCharCode('A'.charCodeAt(0) + index)

const describe = ({ cores, processor, memoryGB, node, postgres }: Machine) =>
  `${cores} cores (${processor}), ${memoryGB} GB, Node ${node}, PostgreSQL ${postgres.split(' ')[0]}`

function section({ title, method }: Suite, { others, figures }: Stored, machine: string): string[] {
  const withTargets = figures.some(({ target }) => target)
  const row = ([name, target, measured]: readonly string[]) =>
    `| ${[name, ...(withTargets ? [target] : []), measured].join(' | ')} |`
  const meanwhile = others === undefined ? '' : `, ${Math.round(others * 100)} % used by other work`
  return [
    `## ${title}`,
    '',
    `${method} Machine ${machine}${meanwhile}.`,
    '',
    row(['Figure', 'Target', 'Measured']),
    withTargets ? '|---|---|---|' : '|---|---|',
    ...figures.map((figure) => {
      const result = verdict(figure, { others })
      const measured = ['', 'pass'].includes(result) ? formatSeen(figure) : `${formatSeen(figure)}, ${result}`
      return row([figure.name, formatTarget(figure), measured].map((cell) => cell.replaceAll('|', '\\|')))
    }),
    '',
  ]
}
