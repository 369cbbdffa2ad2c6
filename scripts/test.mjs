// `npm test`: every stage of scripts/test/stages.mjs. Arguments are handed to vitest, and then only the stages
// run that have such a file: `npm test -- storage` runs the test files whose path holds that word.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { repository } from './setup/stamp.mjs'
import { runStages } from './test/run-stages.mjs'
import { stages } from './test/stages.mjs'

const vitestArguments = process.argv.slice(2)
const chosen = vitestArguments.length === 0 ? stages : stagesWith(vitestArguments)
if (chosen.length === 0) console.error(`No test file's path holds ${vitestArguments.join(' ')}.`)
process.exitCode = chosen.length > 0 && (await runStages(chosen, vitestArguments)) ? 0 : 1

function stagesWith(words) {
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs')
  const listed = execFileSync(process.execPath, [vitest, 'list', ...words, '--filesOnly', '--json'], {
    cwd: repository,
    encoding: 'utf8',
  })
  const projects = new Set(JSON.parse(listed).map((file) => file.projectName))
  return stages.filter((stage) => projects.has(stage.project))
}
