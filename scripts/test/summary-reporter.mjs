import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { repository } from '../setup/stamp.mjs'

/** Writes the results of each project to the file that KILN_TEST_SUMMARY names; run-stages.mjs prints them. */
// biome-ignore lint/style/noDefaultExport: vitest loads the default export of a reporter's file.
export default class SummaryReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const projects = Object.groupBy(modules, ({ project }) => project.name)
    const lines = Object.entries(projects).map(([name, files]) => summarize(name, files))
    if (unhandledErrors.length > 0)
      lines.push({
        name: 'vitest',
        passed: 0,
        failed: unhandledErrors.length,
        seconds: 0,
        failures: unhandledErrors.map((error) => indent([error])),
      })
    writeFileSync(process.env.KILN_TEST_SUMMARY, JSON.stringify(lines))
  }
}

/** The seconds are those of the files together, though several run at a time. */
function summarize(name, files) {
  const line = { name, passed: 0, failed: 0, seconds: 0, failures: [] }
  for (const file of files) {
    const path = relative(repository, file.moduleId)
    line.seconds += file.diagnostic().duration / 1000
    for (const test of file.children.allTests()) {
      const { state, errors } = test.result()
      if (state === 'passed') line.passed += 1
      if (state !== 'failed') continue
      line.failed += 1
      line.failures.push(`${path} › ${test.fullName}\n${indent(errors)}`)
    }
    // A file or a hook that fails outside of its tests counts as one.
    const others = [file, ...file.children.allSuites()].flatMap((each) => each.errors())
    if (others.length === 0) continue
    line.failed += 1
    line.failures.push(`${path}\n${indent(others)}`)
  }
  return line
}

const indent = (errors) =>
  errors
    .map(({ message, stack }) => (stack?.includes(message) ? stack : `${message}\n${stack ?? ''}`))
    .join('\n')
    .split('\n')
    .slice(0, 12)
    .map((line) => `      ${line.slice(0, 300)}`)
    .join('\n')
