import { describe } from 'vitest'

// The suites that a client library can run. Files about broken requests, slow ones, crashes and limits stay out: a library
// does not send such things, or would repeat them.

const suites = {
  auth: () => import('./auth.test.ts'),
  conversions: () => import('./conversions.test.ts'),
  delete: () => import('./delete.test.ts'),
  download: () => import('./download.test.ts'),
  formats: () => import('./formats.test.ts'),
  idempotency: () => import('./idempotency.test.ts'),
  poll: () => import('./poll.test.ts'),
  report: () => import('./report.test.ts'),
  submit: () => import('./submit.test.ts'),
  usage: () => import('./usage.test.ts'),
}

export function describeInterface(client: string, leftOut: readonly (keyof typeof suites)[] = []): void {
  for (const [name, load] of Object.entries(suites))
    if (!leftOut.some((each) => each === name))
      describe(`through ${client}: ${name}`, async () => {
        await load()
      })
}
