// @module-tag slow

import { afterAll, expect, test, vi } from 'vitest'

// The suite of the interface once more, through packages/client.

// Other files have read the same modules in this worker, and others will: this one has its own.
vi.resetModules()
afterAll(() => {
  vi.resetModules()
})
const { callsThroughClient, speakThroughClient } = await import('./through-client.ts')
speakThroughClient()

const { describeInterface } = await import('./interface-suites.ts')
// packages/client/test has tests of reports.
describeInterface('the client', ['report'])

test('all of this went through the client', () => {
  expect(callsThroughClient()).toBeGreaterThan(200)
})
