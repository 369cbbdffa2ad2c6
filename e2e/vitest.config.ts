import { defineConfig } from 'vitest/config'
import { maxWorkers } from '../scripts/test/max-workers.ts'
import { slowTag } from '../scripts/test/slow-tag.ts'

// A given deployment has few accounts, so there the files share them and run one after the other.
const againstDeployment = process.env.KILN_E2E_URL !== undefined

export default defineConfig({
  test: {
    name: 'e2e',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    globalSetup: './global-setup.ts',
    testTimeout: 180_000,
    hookTimeout: 180_000,
    tags: [slowTag],
    isolate: false,
    maxWorkers: againstDeployment ? 1 : maxWorkers,
    sequence: { groupOrder: againstDeployment ? 4 : 0 },
  },
})
