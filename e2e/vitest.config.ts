import { defineConfig } from 'vitest/config'

// A given deployment has few accounts, so there the files share them and run one after the other.
const againstDeployment = process.env.KILN_E2E_URL !== undefined

export default defineConfig({
  test: {
    name: 'e2e',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    globalSetup: './global-setup.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: !againstDeployment,
    isolate: false,
    maxWorkers: 4,
    sequence: { groupOrder: 4 },
  },
})
