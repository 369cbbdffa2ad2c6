import './wiring/bundled-packages.ts'
import { leaveRoot } from './wiring/leave-root.ts'
import { reportAndExit } from './wiring/stop-signals.ts'

// `npm run worker -- --lanes office,document`: only the worker; any number of processes, on a shared database and
// bucket. The data folder is scratch space of this machine.

leaveRoot({ listensOn: 'metricsPort' })
  .then(async () => (await import('./wiring/run-worker.ts')).run())
  .catch(reportAndExit)
