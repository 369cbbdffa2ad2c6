import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** What vitest wrote down: how many passed and failed, and what each failure said. */
export function readResults(file, repository) {
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

const indent = (message) =>
  message
    .split('\n')
    .slice(0, 12)
    .map((line) => `      ${line.slice(0, 300)}`)
    .join('\n')
