import { defineConfig } from 'vitest/config'

// unit:        beside the file it tests; no process, no database, no network.
// integration: real parts (PostgreSQL, engines, the sandbox). They start programs, so few files run at once.
// process:     the service as a process, started and killed.
// timed:       what has to happen within a time, measured: one file at a time, beside nothing else.
// e2e:         a running service from the outside; its own settings stand in e2e/vitest.config.ts.
// clients:     what people install on their own machines, and the quick-start pages, on one running service.
// metamorphic: the same text in other shapes, in every language; `npm run metamorphic`, not part of `npm test`.

// Files share nothing that changes, so a worker reads the sources once and not once per file: what a file alters in
// a module, it puts back. The few files that start and kill services have a worker each.

// How long a test waits for something to happen. What has to happen within a given time is timed by its test.
const waits = { poll: { timeout: 15_000 } }

const timed = 'packages/server/test/process/timed/*.test.ts'
const installed = ['packages/client/test/**/*.test.ts', 'packages/mcp/test/**/*.test.ts']

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'tools/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: ['scripts/test/**', 'tools/evidence/**'],
          // Some of these go through megabytes or hundreds of made-up files, beside all that else runs.
          testTimeout: 20_000,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'integration',
          include: ['packages/*/test/**/*.test.ts', 'tools/evidence/*.test.ts', 'scripts/test/**/*.test.mjs'],
          exclude: [
            'packages/server/test/process/**',
            'packages/converter/test/metamorphic/**',
            ...installed,
          ],
          globalSetup: ['packages/server/test/support/global-setup.ts'],
          expect: waits,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          isolate: false,
          // One more than there are cores: many of these wait for a deadline or a disk.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'process',
          include: ['packages/server/test/process/**/*.test.ts'],
          exclude: [timed],
          globalSetup: ['packages/server/test/support/global-setup.ts'],
          expect: waits,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'timed',
          include: [timed],
          globalSetup: ['packages/server/test/support/global-setup.ts'],
          expect: waits,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 7 },
        },
      },
      {
        test: {
          name: 'metamorphic',
          include: ['packages/converter/test/metamorphic/**/*.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 6 },
        },
      },
      './e2e/vitest.config.ts',
      {
        test: {
          name: 'clients',
          include: installed,
          globalSetup: ['packages/client/test/support/global-setup.ts'],
          expect: waits,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
})
