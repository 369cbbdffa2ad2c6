import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from '../setup/stamp.mjs'

const executables = join(repository, 'node_modules/.bin')
const reporter = join(import.meta.dirname, 'summary-reporter.mjs')

/**
 * Runs groups of stages one after the other; all of them even when one fails. In a group vitest runs beside the other
 * programs, which run one after the other. The output of vitest appears immediately, that of a program when it ends.
 * Then come the failures, for logs that are read from the end, a line for each stage, and the total: `N passed,
 * N failed`. A program counts as one test.
 */
export async function runStages(groups, vitestArguments = []) {
  const results = new Map()
  const runInOrder = async (stages, run) => {
    for (const stage of stages) results.set(stage, await run(stage))
  }
  for (const stages of groups) {
    const [tests = [], programs = []] = [true, false].map((isTest) =>
      stages.filter(({ vitest }) => (vitest !== undefined) === isTest),
    )
    await Promise.all([
      runInOrder(tests, (stage) => runTests(stage, vitestArguments)),
      runInOrder(programs, runProgram),
    ])
  }
  return printSummary(groups.flat().flatMap((stage) => results.get(stage)))
}

/** A line of results for each project. */
async function runTests({ vitest }, vitestArguments) {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-test-results-'))
  const file = join(folder, 'summary.json')
  try {
    const args = ['run', ...vitest, '--reporter=default', `--reporter=${reporter}`, ...vitestArguments]
    const { code } = await run(['vitest', ...args], { env: { KILN_TEST_SUMMARY: file }, live: true })
    const lines = readSummary(file)
    // A run can fail without a failed test: a broken set-up, an unhandled error.
    if (code !== 0 && lines.every(({ failed }) => failed === 0))
      lines.push({
        name: 'vitest',
        passed: 0,
        failed: 1,
        seconds: 0,
        failures: [`exited with status ${code}, though no test failed`],
      })
    return lines
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readSummary(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}

async function runProgram({ name, command }) {
  const started = performance.now()
  const { code, output } = await run(command, { live: false })
  const seconds = (performance.now() - started) / 1000
  process.stdout.write(`\n> ${command.join(' ')}\n${output}\n`)
  if (code === 0) return [{ name, passed: 1, failed: 0, seconds, failures: [] }]
  return [{ name, passed: 0, failed: 1, seconds, failures: [`${command[0]} exited with status ${code}`] }]
}

function printSummary(lines) {
  const failures = lines.flatMap(({ name, failures }) => failures.map((each) => `  ${name}: ${each}`))
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
  console.log()
  for (const { name, passed, failed, seconds } of lines)
    console.log(
      `${name.padEnd(12)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.toFixed(1).padStart(7)} s`,
    )
  const total = (field) => lines.reduce((sum, line) => sum + line[field], 0)
  console.log(`${total('passed')} passed, ${total('failed')} failed`)
  return total('failed') === 0
}

async function run([name, ...args], { env, live }) {
  const child = spawn(join(executables, name), args, {
    cwd: repository,
    stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // These programs start with `env node`, which has to be the project's own.
      PATH: `${executables}:${process.env.PATH}`,
      // Hundreds of processes and threads load the same modules: they are compiled once.
      NODE_COMPILE_CACHE: join(repository, '.setup/compile-cache'),
      ...env,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1))
    child.once('close', resolve)
  })
  return { code, output }
}
