import type { Environment } from './environment.ts'
import type { Figure } from './figures.ts'

// A suite measures one thing. To add one, create a file in suites/ and add a line to suites/index.ts.

export interface SuiteResult {
  figures: Figure[]
}

export interface SuiteOptions {
  /** Fewer rounds and inputs: the form that the tests run. */
  short: boolean
  say: (line: string) => void
}

export interface Suite {
  name: string
  title: string
  /** How it is measured, as Markdown. */
  method: string
  /** Starts programs in sandboxes, whose CPU time cannot be distinguished from that of other work. */
  startsPrograms?: true
  run(environment: Environment, options: SuiteOptions): Promise<SuiteResult>
}
