import './wiring/bundled-packages.ts'
import { leaveRoot } from './wiring/leave-root.ts'
import { reportAndExit } from './wiring/stop-signals.ts'

// `npm run api`: the HTTP side alone, started as often as needed, on a shared database and bucket.

leaveRoot({ listensOn: 'port' })
  .then(async () => (await import('./wiring/run-api.ts')).run())
  .catch(reportAndExit)
