// `npm test`: every check of scripts/test/stages.mjs. With arguments only vitest runs, and gets them:
// `npm test -- storage` runs the test files whose path contains that word.

import { runStages } from './test/run-stages.mjs'
import { allStages, allTests } from './test/stages.mjs'

const vitestArguments = process.argv.slice(2)
const stages = vitestArguments.length === 0 ? allStages : [[allTests]]
process.exitCode = (await runStages(stages, vitestArguments)) ? 0 : 1
