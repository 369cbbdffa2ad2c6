import { afterAll, describe, expect, test, vi } from 'vitest'

// The suite of the interface once more, through packages/client. Files about broken requests, slow ones, crashes
// and limits stay out: a library does not send such things, or would repeat them.

// Other files have read the same modules in this worker, and others will: this one has its own.
vi.resetModules()
afterAll(() => {
  vi.resetModules()
})
const { callsThroughClient, speakThroughClient } = await import('./through-client.ts')
speakThroughClient()

const suites = {
  auth: () => import('./auth.test.ts'),
  conversions: () => import('./conversions.test.ts'),
  delete: () => import('./delete.test.ts'),
  download: () => import('./download.test.ts'),
  formats: () => import('./formats.test.ts'),
  idempotency: () => import('./idempotency.test.ts'),
  poll: () => import('./poll.test.ts'),
  submit: () => import('./submit.test.ts'),
  usage: () => import('./usage.test.ts'),
}

for (const [name, load] of Object.entries(suites))
  describe(`through the client: ${name}`, async () => {
    await load()
  })

test('all of this went through the client', () => {
  expect(callsThroughClient()).toBeGreaterThan(200)
})
