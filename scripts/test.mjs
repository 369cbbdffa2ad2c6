// Every check there is, one after the other: style, types, unit, integration, end to end, and the short forms
// of chaos and benchmarks. All of them run even when an early one fails. The last line is the sum: `N passed, N failed`;
// style, types, chaos and benchmarks count as one each. What failed is told once more above it, for logs read from the end.
// Arguments are handed to vitest: `npm test -- storage` runs the files whose path holds that word.

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const programs = join(repository, 'node_modules/.bin')
const folder = mkdtempSync(join(tmpdir(), 'kiln-test-results-'))
const vitestArguments = process.argv.slice(2)

// Under a minute together; the others take longer, and run with `npm run bench`.
const benchSuites = ['submit', 'poll', 'upload', 'start-latency', 'big-tables']

const total = { passed: 0, failed: 0 }
const lines = []
const failures = []

await step('style', ['biome', 'check', '--error-on-warnings'])
await step('types', ['tsc', '-p', '.'])
await step('page types', ['tsc', '-p', 'packages/console'])
for (const project of ['unit', 'integration', 'process', 'e2e', 'clients']) await tests(project)
if (vitestArguments.length === 0) await step('chaos', ['node', 'chaos/main.ts', '--short'])
if (vitestArguments.length === 0) await step('bench', ['node', 'bench/main.ts', ...benchSuites, '--short'])

rmSync(folder, { recursive: true, force: true })
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
console.log(`\n${lines.join('\n')}\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1

async function step(name, [program, ...args]) {
  const { code, seconds } = await run(program, args)
  if (code !== 0) failures.push(`  ${name}: ${program} ended with ${code}`)
  count(name, code === 0 ? 1 : 0, code === 0 ? 0 : 1, seconds)
}

async function tests(project) {
  const file = join(folder, `${project}.json`)
  const { code, seconds } = await run('vitest', [
    ...['run', '--project', project, '--passWithNoTests'],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    ...vitestArguments,
  ])
  const { passed, failed, told } = readResults(file)
  if (code !== 0 && told.length === 0) told.push(`vitest ended with ${code}, though no test failed`)
  failures.push(...told.map((each) => `  ${project}: ${each}`))
  // A run that ends badly without a failed test (a broken set-up, a stray error) has failed all the same.
  count(project, passed, code === 0 ? failed : Math.max(failed, 1), seconds)
}

function readResults(file) {
  if (!existsSync(file)) return { passed: 0, failed: 0, told: [] }
  const results = JSON.parse(readFileSync(file, 'utf8'))
  const told = []
  let failed = 0
  for (const { name, message, status, assertionResults } of results.testResults) {
    const path = relative(repository, name)
    const failedTests = assertionResults.filter((test) => test.status === 'failed')
    for (const test of failedTests) {
      told.push(`${path} › ${test.fullName}\n${indent(test.failureMessages.join('\n'))}`)
    }
    // A file that does not load has no tests in it; it counts as one that failed.
    const unloaded = status === 'failed' && failedTests.length === 0
    if (unloaded) told.push(`${path}\n${indent(message)}`)
    failed += failedTests.length + (unloaded ? 1 : 0)
  }
  return { passed: results.numPassedTests, failed, told }
}

function indent(message) {
  return message
    .split('\n')
    .slice(0, 12)
    .map((line) => `      ${line.slice(0, 300)}`)
    .join('\n')
}

function count(name, passed, failed, seconds) {
  total.passed += passed
  total.failed += failed
  lines.push(
    `${name.padEnd(12)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.padStart(7)} s`,
  )
}

async function run(program, args) {
  const started = Date.now()
  console.log(`\n> ${program} ${args.join(' ')}`)
  const child = spawn(join(programs, program), args, {
    cwd: repository,
    stdio: 'inherit',
    // These programs start with `env node`: that has to be the project's own.
    env: { ...process.env, PATH: `${programs}:${process.env.PATH}` },
  })
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1))
    child.once('close', resolve)
  })
  return { code, seconds: ((Date.now() - started) / 1000).toFixed(1) }
}
