import type { Suite } from '../suite.ts'
import { pollSuite } from './poll.ts'
import { submitSuite } from './submit.ts'

// Every suite, in the order of docs/benchmarks.md.
export const suites: readonly Suite[] = [submitSuite, pollSuite]
