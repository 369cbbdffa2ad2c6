import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { cookieOf, originOf, type PageClient } from '../support/page-client.ts'
import { useService } from '../support/service.ts'
import { clientWith, joinAs, post } from './web-client.ts'

const service = useService({
  guestAccess: true,
  guestConversionsPerDay: 3,
  guestMaxBytes: 1000,
  trustedProxies: ['127.0.0.1', '::1'],
  userHeader: 'x-forwarded-user',
})

const order = (bytes = 5) => ({ pair: 'md-to-html', bytes, key: randomUUID() })
const look = async (client: PageClient, jobId: string) =>
  (await client.post<{ jobs: object[] }>('/jobs/look', { names: { [jobId]: 'notes' } })).jobs

describe('a guest', () => {
  test('converts small files, a few a day per network, and sees no job of another guest', async () => {
    const guest = async () => clientWith(service, cookieOf(await post(service, '/guest', {})))
    const [first, second] = [await guest(), await guest()]
    await expect(first.post('/jobs', order(1001))).rejects.toThrow(/413.*up to 1000 bytes/)
    const repeated = order()
    const { jobId, uploadUrl } = await first.post<{ jobId: string; uploadUrl: string }>('/jobs', repeated)
    expect(uploadUrl).toMatch(/^\/files\/in\//)
    // The same key is the same job; the key of another guest is not.
    expect(await first.post('/jobs', repeated)).toMatchObject({ jobId })
    const other = await second.post<{ jobId: string }>('/jobs', repeated)
    expect(other.jobId).not.toBe(jobId)
    expect(await look(first, jobId)).toMatchObject([{ jobId, status: 'queued', uploaded: false }])
    expect(await look(second, jobId)).toEqual([])
    await expect(second.post(`/jobs/${jobId}/remove`)).rejects.toThrow(/404/)
    // Refused submits and replays were not counted.
    await second.post('/jobs', order())
    await expect(second.post('/jobs', order())).rejects.toThrow(/402.*3 files a day/)
    expect((await second.call('/account')).status).toBe(403)
    expect((await second.call('/account/jobs')).status).toBe(403)
  })
})

describe('a trusted proxy', () => {
  const asUser = (name: string, path = '/session') =>
    fetch(`${originOf(service)}/app/api${path}`, { headers: { 'x-forwarded-user': name } })

  test('names the user, who gets an account with the first request', async () => {
    const session = (await (await asUser('mona')).json()) as { visitor: object }
    expect(session).toMatchObject({ visitor: { userName: 'mona', accountName: 'mona', canSignOut: false } })
    const names = await Promise.all(Array.from({ length: 4 }, () => asUser('lisa', '/account')))
    const accounts = (await Promise.all(names.map((answer) => answer.json()))) as {
      account: { id: string }
    }[]
    expect(new Set(accounts.map(({ account }) => account.id)).size).toBe(1)
  })

  test('has no name where the header is empty or malformed', async () => {
    expect(await (await asUser('')).json()).toMatchObject({ visitor: null })
    expect((await asUser('x'.repeat(300))).status).toBe(400)
  })
})

describe('a user', () => {
  test('reaches the jobs, keys and deliveries of its own account alone', async () => {
    const ada = await joinAs(service, 'ada', service.customer.accountId)
    const { jobId } = await ada.post<{ jobId: string }>('/jobs', order())
    const eve = clientWith(service, '')
    const asEve = (path: string, body: object = {}) =>
      eve.call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-user': 'eve' },
        body: JSON.stringify(body),
      })
    expect(await (await asEve('/jobs/look', { names: { [jobId]: 'x' } })).json()).toEqual({ jobs: [] })
    expect((await asEve(`/jobs/${jobId}/remove`)).status).toBe(403)
    const { keys } = await ada.get<{ keys: { id: string; hint: string }[] }>('/account')
    // The internal key of the web app is not among them.
    expect(keys.every(({ hint }) => hint.startsWith('kiln_live_'))).toBe(true)
    for (const { id } of keys) expect((await asEve(`/account/keys/${id}/revoke`)).status).toBe(404)
    const jobs = await ada.get<{ jobs: { id: string }[] }>('/account/jobs')
    expect(jobs.jobs.map(({ id }) => id)).toContain(jobId)
  })
})
