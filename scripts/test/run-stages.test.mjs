import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { repository } from '../setup/stamp.mjs'

const folder = mkdtempSync(join(tmpdir(), 'kiln-stages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs stages in a process of their own, as `npm test` does, and gives what it printed and its exit code. */
function node(...args) {
  try {
    return { code: 0, output: execFileSync(process.execPath, args, { cwd: repository, encoding: 'utf8' }) }
  } catch (error) {
    return { code: error.status, output: error.stdout + error.stderr }
  }
}

test('two run side by side, one that must be alone waits and is waited for, and a failure does not stop the rest', () => {
  const log = join(folder, 'log')
  // Each ends once the one that it has to run beside has begun.
  const program = (name, beside, code) => `
    const { appendFileSync, readFileSync } = require('node:fs')
    const log = ${JSON.stringify(log)}
    appendFileSync(log, '+${name} ')
    console.log('said by ${name}')
    const timer = setInterval(() => {
      if (!readFileSync(log, 'utf8').includes('+${beside} ')) return
      clearInterval(timer)
      appendFileSync(log, '-${name} ')
      process.exitCode = ${code}
    }, 5)`
  const stage = (name, beside, { code = 0, alone = false } = {}) => ({
    ...{ name, alone, command: ['node', '-e', program(name, beside, code)] },
  })
  const stages = [
    ...[stage('a', 'b'), stage('b', 'a', { code: 3 })],
    stage('c', 'c', { alone: true }),
    ...[stage('d', 'e'), stage('e', 'd')],
  ]
  const script = `
    import { runStages } from './scripts/test/run-stages.mjs'
    process.exitCode = (await runStages(${JSON.stringify(stages)})) ? 0 : 1`
  const { code, output } = node('--input-type=module', '--eval', script)
  const order = readFileSync(log, 'utf8')
  expect(order).toMatch(/^(\+a \+b|\+b \+a) (-a -b|-b -a) \+c -c (\+d \+e|\+e \+d) (-d -e|-e -d) $/)
  for (const name of ['a', 'b', 'c', 'd', 'e']) expect(output).toContain(`said by ${name}`)
  expect(output).toMatch(/Failed:\n {2}b: node ended with 3\n/)
  expect(output).toMatch(/\n4 passed, 1 failed\n$/)
  expect(code).toBe(1)
})

test('a word starts only the stages that have such a file', () => {
  const { code, output } = node('scripts/test.mjs', 'setup/lockfile')
  expect(output).toMatch(/\nunit +4 passed +0 failed +[\d.]+ s\n4 passed, 0 failed\n$/)
  expect(code).toBe(0)
})

test('a word that no file has is told', () => {
  expect(node('scripts/test.mjs', 'no-such-file')).toEqual({
    code: 1,
    output: "No test file's path holds no-such-file.\n",
  })
})
