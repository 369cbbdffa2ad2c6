import { defineConfig } from 'vitest/config'

// unit:        beside the file it tests; no process, no database, no network.
// integration: real parts (PostgreSQL, engines, the sandbox). They start programs, so few files run at once.
// e2e:         a running service from the outside; its own settings stand in e2e/vitest.config.ts.

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.mjs'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'integration',
          include: ['packages/*/test/**/*.test.ts'],
          globalSetup: ['packages/server/test/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      './e2e/vitest.config.ts',
    ],
  },
})
