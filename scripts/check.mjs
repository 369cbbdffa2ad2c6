// `npm run check`: what half a minute can show, without a process, a database or an engine.

import { runStages } from './test/run-stages.mjs'
import { quickStages } from './test/stages.mjs'

process.exitCode = (await runStages(quickStages)) ? 0 : 1
