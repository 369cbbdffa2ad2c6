import type { Environment } from './environment.ts'
import type { Figure } from './figures.ts'

// A suite measures one thing. To add one: a file in suites/, and a line in suites/index.ts.

export interface Plot {
  /** File name below docs/benchmarks/. */
  file: string
  alt: string
  svg: string
}

export interface SuiteResult {
  figures: Figure[]
  /** Facts worth telling beside the numbers, as Markdown list items. */
  notes: string[]
  plots: Plot[]
}

export interface SuiteOptions {
  /** Less of everything: the form that the tests run. */
  short: boolean
  say: (line: string) => void
}

export interface Suite {
  name: string
  title: string
  /** How it is measured, as Markdown. */
  method: string
  /** Starts programs in boxes, whose processor time cannot be told from that of others. */
  startsPrograms?: true
  run(environment: Environment, options: SuiteOptions): Promise<SuiteResult>
}
