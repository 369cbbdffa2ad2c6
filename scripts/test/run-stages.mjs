import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from '../setup/stamp.mjs'
import { readResults } from './results.mjs'

const programs = join(repository, 'node_modules/.bin')
const SIDE_BY_SIDE = 2

/**
 * Runs stages in their order, as many at once as there are cores for, and all of them even when an early one
 * fails. What a stage prints appears when it ends, so that two do not talk at the same time; one that is
 * alone from the start prints at once. The last line is the sum: `N passed, N failed`. A program counts as one. What
 * failed is told once more above it, for logs read from the end.
 */
export async function runStages(stages, vitestArguments = []) {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-test-results-'))
  const ended = []
  const running = new Set()
  const runOne = async (stage) => {
    ended.push({ stage, ...(await runStage(stage, folder, vitestArguments, stages.length === 1)) })
  }
  for (const stage of stages) {
    while (running.size >= (stage.alone ? 1 : SIDE_BY_SIDE)) await Promise.race(running)
    const work = runOne(stage).finally(() => running.delete(work))
    running.add(work)
    if (stage.alone) await work
  }
  await Promise.all(running)
  rmSync(folder, { recursive: true, force: true })
  return tell(stages.map((stage) => ended.find((end) => end.stage === stage)))
}

function tell(ends) {
  const failures = ends.flatMap(({ stage, told }) => told.map((each) => `  ${stage.name}: ${each}`))
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
  console.log()
  for (const end of ends) console.log(lineOf(end))
  const sum = (count) => ends.reduce((total, end) => total + count(end), 0)
  const failed = sum((end) => end.failed)
  console.log(`${sum((end) => end.passed)} passed, ${failed} failed`)
  return failed === 0
}

const lineOf = ({ stage, passed, failed, seconds }) =>
  `${stage.name.padEnd(12)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.toFixed(1).padStart(7)} s`

async function runStage(stage, folder, vitestArguments, live) {
  const file = join(folder, `${stage.name}.json`)
  const command = stage.command ?? [
    ...['vitest', 'run', '--project', stage.project, '--passWithNoTests'],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    ...vitestArguments,
  ]
  if (!live) console.log(`${stage.name} …`)
  const started = performance.now()
  const { code, output } = await run(command, live)
  const seconds = (performance.now() - started) / 1000
  const { passed, failed, told } = stage.project ? readResults(file, repository) : ofProgram(code, command)
  // A run that ends badly without a failed test (a broken set-up, a stray error) has failed all the same.
  if (code !== 0 && told.length === 0) told.push(`vitest ended with ${code}, though no test failed`)
  const end = { passed, failed: code === 0 ? failed : Math.max(failed, 1), told, seconds }
  if (!live) process.stdout.write(`\n> ${command.join(' ')}\n${output}${lineOf({ stage, ...end })}\n\n`)
  return end
}

const ofProgram = (code, [name]) =>
  code === 0
    ? { passed: 1, failed: 0, told: [] }
    : { passed: 0, failed: 1, told: [`${name} ended with ${code}`] }

async function run([name, ...args], live) {
  const child = spawn(join(programs, name), args, {
    cwd: repository,
    stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // These programs start with `env node`: that has to be the project's own.
      PATH: `${programs}:${process.env.PATH}`,
      // Hundreds of processes and threads load the same modules: they are compiled once.
      NODE_COMPILE_CACHE: join(repository, '.setup/compile-cache'),
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
