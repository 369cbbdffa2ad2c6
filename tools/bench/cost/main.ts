import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readArguments } from '../../read-arguments.ts'
import { totalOf } from '../processes.ts'
import { median } from '../statistics.ts'
import { type Input, makeInputs } from '../suites/capacity/inputs.ts'
import type { Cost } from './measure.ts'

const usage = `npm run cost -- [--against COMMIT] [--rounds N]

The cost of one conversion of each kind, by step and by program. With a commit, both checkouts are measured
alternately, and the exit status is 1 if a kind takes 10 % more CPU time than before.
`

const run = promisify(execFile)
const repository = resolve(import.meta.dirname, '../../..')
const tolerance = 1.1

const medianCpu = (costs: readonly Cost[]): number => median(costs.map(({ cpu }) => totalOf(cpu)))

const { values } = readArguments(usage, {
  against: { type: 'string' },
  rounds: { type: 'string', default: '3' },
})
const rounds = Number(values.rounds)
const folder = await mkdtemp(join(tmpdir(), 'kiln-cost-'))
const other = values.against === undefined ? undefined : join(folder, 'checkout')
try {
  if (other !== undefined) await checkOut(values.against ?? '', other)
  const inputs = await makeInputs(join(folder, 'documents'))
  const seen: { ours: Cost[][]; theirs: Cost[][] } = { ours: [], theirs: [] }
  for (let round = 0; round < rounds; round++) {
    if (other !== undefined) seen.theirs.push(await measure(other, inputs))
    seen.ours.push(await measure(repository, inputs))
  }
  for (const [index, { name }] of inputs.entries()) {
    const ours = seen.ours.map((costs) => costs[index] as Cost)
    process.stdout.write(`${describe(name, ours)}\n`)
    if (other === undefined) continue
    const ratio = medianCpu(ours) / medianCpu(seen.theirs.map((costs) => costs[index] as Cost))
    process.stdout.write(`    CPU time ÷ ${values.against}: ${ratio.toFixed(2)}\n`)
    if (ratio > tolerance) process.exitCode = 1
  }
} finally {
  if (other !== undefined) await run('git', ['worktree', 'remove', '--force', other], { cwd: repository })
  await rm(folder, { recursive: true, force: true })
}

async function checkOut(commit: string, path: string): Promise<void> {
  await run('git', ['worktree', 'add', '--detach', path, commit], { cwd: repository })
  await run('node', ['scripts/setup.mjs'], { cwd: path, maxBuffer: 2 ** 24 })
}

async function measure(checkout: string, inputs: readonly Input[]): Promise<Cost[]> {
  const script = join(import.meta.dirname, 'measure.ts')
  const { stdout } = await run(process.execPath, [script, checkout, JSON.stringify(inputs)], {
    maxBuffer: 2 ** 24,
  })
  return JSON.parse(stdout) as Cost[]
}

function describe(name: string, costs: readonly Cost[]): string {
  const programs = [...new Set(costs.flatMap(({ cpu }) => Object.keys(cpu)))]
  const cpu = programs
    .map((program) => ({ program, used: median(costs.map((cost) => cost.cpu[program] ?? 0)) }))
    .filter(({ used }) => used >= 1)
    .sort((a, b) => b.used - a.used)
    .map(({ program, used }) => `${program} ${used.toFixed(0)}`)
  const wall = (step: keyof Cost['wall']) => median(costs.map((cost) => cost.wall[step])).toFixed(0)
  return `${name}: ${wall('all')} ms (convert ${wall('convert')}, check ${wall('check')}); CPU ${medianCpu(costs).toFixed(0)} ms: ${cpu.join(', ')}`
}
