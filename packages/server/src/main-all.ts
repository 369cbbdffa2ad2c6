import { leaveRoot } from './wiring/leave-root.ts'
import { reportAndExit } from './wiring/stop-signals.ts'

// `npm start`: the API, the worker, a private PostgreSQL and files in a folder, in one process tree.

leaveRoot({ listens: true })
  .then(async () => (await import('./wiring/run-all.ts')).run())
  .catch(reportAndExit)
