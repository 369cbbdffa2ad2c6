import { configDefaults, defineConfig } from 'vitest/config'
import { maxWorkers } from './scripts/test/max-workers.ts'
import { LongestFirstSequencer } from './scripts/test/sequencer.ts'
import { slowTag } from './scripts/test/slow-tag.ts'

// unit:        beside the file it tests; no process, no database, no network.
// integration: real parts (PostgreSQL, engines, the sandbox), and the service as a process that is started and killed.
// e2e:         a running service from the outside; its settings are in e2e/vitest.config.ts.
// clients:     what people install on their own machines, and the quick-start pages, against one running service.
// timed:       what has to happen within a time: one file at a time, after everything else, in a run of its own.
//
// Not part of `npm test`, with commands of their own that the workflow runs:
// tagged slow:        of any project, see scripts/test/slow-tag.ts.
// metamorphic:        the same text in other forms, in every language.
// browser:            every client pair in Chromium and Firefox.
// other-architecture: what npm installs for the other processor architecture.

// All projects share one pool of workers. A worker runs many files of one project, so that it loads the sources once: a
// file restores what it changes in a module or in the environment.

// Long enough for a busy machine. What has to happen within a given time is measured by its test.
const shared = {
  expect: { poll: { timeout: 60_000 } },
  testTimeout: 180_000,
  hookTimeout: 180_000,
  tags: [slowTag],
}

const timed = 'packages/server/test/process/timed/*.test.ts'
const metamorphic = 'packages/converter/test/metamorphic/**/*.test.ts'
const browser = 'packages/browser/test/**/*.test.ts'
const otherArchitecture = 'scripts/test/other-architecture.test.mjs'
const installed = ['packages/client/test/**/*.test.ts', 'packages/mcp/test/**/*.test.ts']

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirstSequencer },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'tools/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: [...configDefaults.exclude, 'scripts/test/**', 'tools/evidence/**'],
          testTimeout: 60_000,
          isolate: false,
          maxWorkers,
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          include: ['packages/*/test/**/*.test.ts', 'tools/evidence/*.test.ts', 'scripts/test/**/*.test.mjs'],
          exclude: [...configDefaults.exclude, timed, metamorphic, browser, otherArchitecture, ...installed],
          globalSetup: ['packages/server/test/support/global-setup.ts'],
          isolate: false,
          maxWorkers,
        },
      },
      './e2e/vitest.config.ts',
      {
        test: {
          ...shared,
          name: 'clients',
          include: installed,
          globalSetup: ['packages/client/test/support/global-setup.ts'],
          isolate: false,
          maxWorkers,
        },
      },
      {
        test: {
          ...shared,
          name: 'timed',
          include: [timed],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'metamorphic',
          include: [metamorphic],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: 'browser',
          include: [browser],
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          ...shared,
          name: 'other-architecture',
          include: [otherArchitecture],
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
