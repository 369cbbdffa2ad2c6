import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { useService } from '../support/service.ts'

const service = useService({ mostWaitingJobs: 2 })
const submit = (key?: string) =>
  service.call('/v1/conversions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key ? { 'idempotency-key': key } : {}) },
    body: JSON.stringify({ pair: 'md-to-html', bytes: 1 }),
  })
const jobsInWindow = async () =>
  ((await (await service.call('/v1/usage')).json()) as { currentWindow: { account: { jobs: number } } })
    .currentWindow.account.jobs
afterEach(() => sql`delete from jobs`.execute(service.database.kysely))

describe('past the bound of waiting jobs', () => {
  test('a submit is refused with 503 and Retry-After, and bumps no meter; a replay is not', async () => {
    expect((await submit('earlier')).status).toBe(201)
    await service.convert('x')
    await service.convert('y')
    await expect.poll(async () => (await submit()).status, { timeout: 5000 }).toBe(503)
    const before = await jobsInWindow()
    const refused = await submit()
    expect(await refused.json()).toEqual({ error: expect.any(String), code: 'unavailable' })
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await jobsInWindow()).toBe(before)
    expect((await submit('earlier')).status).toBe(200)
  })

  test('when they have gone, submits are taken again', async () => {
    await expect.poll(async () => (await submit()).status, { timeout: 5000 }).toBe(201)
  })
})
