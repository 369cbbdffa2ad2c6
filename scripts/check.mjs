// `npm run check`: what can be known in half a minute, without a process, a database or an engine.

import { runStages } from './test/run-stages.mjs'
import { stages } from './test/stages.mjs'

process.exitCode = (await runStages(stages.filter((stage) => stage.quick))) ? 0 : 1
