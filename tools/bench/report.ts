import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Figure, formatSeen, formatTarget, verdict } from './figures.ts'
import type { Suite, SuiteResult } from './suite.ts'

// docs/benchmarks.md, made from docs/benchmarks/results.json. A run of some suites renews only theirs.

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
  /** Share of the machine that others used meanwhile. */
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
  const measured = suites.filter(({ name }) => stored[name])
  return [
    '# Benchmarks',
    '',
    'Written by `npm run bench -- --write`. Both sides of a ratio run in turns, on the same machine and the same PostgreSQL with fsync on, so ratios carry over to other machines better than rates do. Each section names its machine and how much of it other work used.',
    '',
    ...measured.flatMap((suite) => section(suite, stored[suite.name] as Stored)),
  ].join('\n')
}

function section({ title, method }: Suite, { machine, others, figures }: Stored): string[] {
  const meanwhile =
    others === undefined ? '' : `; other work took ${Math.round(others * 100)} % of the machine meanwhile`
  return [
    `## ${title}`,
    '',
    method,
    '',
    '| Figure | Target | Measured | | Details |',
    '|---|---|---|---|---|',
    ...figures.map((figure) => {
      const cells = [
        figure.name,
        formatTarget(figure),
        formatSeen(figure),
        verdict(figure, { others }),
        figure.detail,
      ]
      return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
    }),
    '',
    `Measured on ${machine.cores} cores (${machine.processor}), ${machine.memoryGB} GB of memory, Node ${machine.node}, PostgreSQL ${machine.postgres}${meanwhile}.`,
    '',
  ]
}
