import './wiring/bundled-packages.ts'
import { leaveRoot } from './wiring/leave-root.ts'
import { reportAndExit } from './wiring/stop-signals.ts'

// `npm run api`: only the HTTP side; any number of processes, on a shared database and bucket.

leaveRoot({ listensOn: 'port' })
  .then(async () => (await import('./wiring/run-api.ts')).run())
  .catch(reportAndExit)
