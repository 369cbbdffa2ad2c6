import type { Suite } from '../suite.ts'
import { capacitySuite } from './capacity.ts'
import { mixedLoadSuite } from './mixed-load.ts'
import { officeSuite } from './office.ts'
import { overheadSuite } from './overhead.ts'
import { overloadSuite } from './overload.ts'
import { pollSuite } from './poll.ts'
import { startLatencySuite } from './start-latency.ts'
import { startsSuite } from './starts.ts'
import { submitSuite } from './submit.ts'
import { uploadSuite } from './upload.ts'

// Every suite, in the order of docs/benchmarks.md.
export const suites: readonly Suite[] = [
  submitSuite,
  pollSuite,
  uploadSuite,
  startLatencySuite,
  capacitySuite,
  mixedLoadSuite,
  overloadSuite,
  overheadSuite,
  officeSuite,
  startsSuite,
]
