import './wiring/bundled-packages.ts'
import { leaveRoot } from './wiring/leave-root.ts'
import { reportAndExit } from './wiring/stop-signals.ts'

// `npm run -s admin -- …`: the operator's command line.

leaveRoot({})
  .then(async () => (await import('./wiring/run-admin.ts')).run())
  .catch(reportAndExit)
