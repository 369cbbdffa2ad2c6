import type { Suite } from '../suite.ts'
import { capacitySuite } from './capacity.ts'
import { mixedLoadSuite } from './mixed-load.ts'
import { officeSuite } from './office.ts'
import { overheadSuite } from './overhead.ts'
import { pollSuite, submitSuite } from './requests.ts'
import { startLatencySuite } from './start-latency.ts'
import { startsSuite } from './starts.ts'

// Every suite, in the order of docs/benchmarks.md.
export const suites: readonly Suite[] = [
  submitSuite,
  pollSuite,
  startLatencySuite,
  capacitySuite,
  mixedLoadSuite,
  overheadSuite,
  officeSuite,
  startsSuite,
]
