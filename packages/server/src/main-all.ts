import './wiring/bundled-packages.ts'
import { leaveRoot } from './wiring/leave-root.ts'
import { reportAndExit } from './wiring/stop-signals.ts'

// `npm start`: the API, the worker, a private PostgreSQL and files in a folder, in one process tree.

leaveRoot({ listensOn: 'port' })
  .then(async () => (await import('./wiring/run-all.ts')).run())
  .catch(reportAndExit)
