import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { repository } from '../setup/stamp.mjs'

const folder = mkdtempSync(join(tmpdir(), 'kiln-stages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program and returns its output and exit status. */
function node(...args) {
  const options = { cwd: repository, encoding: 'utf8', stdio: 'pipe' }
  try {
    return { code: 0, output: execFileSync(process.execPath, args, options) }
  } catch (error) {
    return { code: error.status, output: error.stdout + error.stderr }
  }
}

test('a program that fails does not stop the others, and is named again at the end', () => {
  const program = (name, code) => ({
    name,
    command: ['node', '-e', `console.log('printed by ${name}'); process.exitCode = ${code}`],
  })
  const stages = [[program('a', 3)], [program('b', 0)]]
  const script = `
    import { runStages } from './scripts/test/run-stages.mjs'
    process.exitCode = (await runStages(${JSON.stringify(stages)})) ? 0 : 1`
  const { code, output } = node('--input-type=module', '--eval', script)
  for (const name of ['a', 'b']) expect(output).toContain(`printed by ${name}`)
  expect(output).toMatch(/Failed:\n {2}a: node exited with status 3\n/)
  expect(output).toMatch(/\n1 passed, 1 failed\n$/)
  expect(code).toBe(1)
})

test('a failed test, a failed hook and a file that does not load are counted and shown', () => {
  const file = join(folder, 'failing.test.mjs')
  writeFileSync(
    file,
    `test('passes', () => expect(1).toBe(1))
    test('fails', () => expect('apples').toBe('pears'))
    describe('with a hook', () => { beforeAll(() => { throw new Error('the hook broke') }); test('waits', () => {}) })`,
  )
  writeFileSync(join(folder, 'broken.test.mjs'), "throw new Error('does not load')")
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default { test: { globals: true } }')
  const stages = [[{ name: 'tests', vitest: [`--root=${folder}`] }]]
  const script = `
    import { runStages } from './scripts/test/run-stages.mjs'
    process.exitCode = (await runStages(${JSON.stringify(stages)})) ? 0 : 1`
  const { code, output } = node('--input-type=module', '--eval', script)
  const end = output.slice(output.lastIndexOf('\nFailed:'))
  for (const text of ['failing.test.mjs › fails', 'apples', 'the hook broke', 'does not load'])
    expect(end).toContain(text)
  expect(end).toContain('\n1 passed, 3 failed\n')
  expect(code).toBe(1)
})

test('a word runs only the test files with that word in their path', () => {
  const { code, output } = node('scripts/test.mjs', 'setup/lockfile')
  expect(output).toMatch(/\nunit +4 passed +0 failed +[\d.]+ s\n4 passed, 0 failed\n$/)
  expect(code).toBe(0)
})

test('a word that is in no path fails', () => {
  const { code, output } = node('scripts/test.mjs', 'no-such-file')
  expect(output).toContain('No test files found')
  expect(output).toContain('\n0 passed, 1 failed\n')
  expect(code).toBe(1)
})
