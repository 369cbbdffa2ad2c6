import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook } from '@kiln/client'
import { askAdmin, runAdmin } from '@kiln/test-support/admin-command.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, createAccount, describeHurried, describeWithOperator, main } from './accounts.ts'
import { picture } from './documents.ts'
import { requirement } from './requirements.ts'
import { type Bytes, bytesOf, type Job, upload } from './service.ts'

interface Event {
  headers: IncomingHttpHeaders
  body: string
}

interface Delivery {
  id: string
  jobId: string
  state: string
  attempts: number
  answerStatus: number
  answerText: string
}

describeHurried('webhooks, where the operator lets them go to this machine', (hurried) => {
  const events: Event[] = []
  let answer = { status: 200, headers: {} as Record<string, string>, text: 'noted' }
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    events.push({ headers: request.headers, body })
    response.writeHead(answer.status, answer.headers).end(answer.text)
  })
  let account: Account
  let url: string
  const admin = <Said>(...args: string[]) => {
    if (hurried.admin === null) throw new Error('There is no admin command.')
    return askAdmin<Said>(hurried.admin, 'webhook', ...args)
  }
  const latest = async () => {
    const { deliveries } = await admin<{ deliveries: Delivery[] }>('deliveries', '--account', account.id)
    return deliveries[0] as Delivery
  }
  /** Without polling: this service allows few polls, and forgets soon. */
  const convert = async (pair: string, bytes: Bytes): Promise<Job> => {
    const { jobId, uploadUrl } = await account.client.job(pair, bytes.length)
    await upload(uploadUrl, bytes)
    return (await account.client.poll(jobId, { prefer: 'wait=25' })).body as Job
  }
  beforeAll(async () => {
    account = await createAccount(hurried, { credits: 100 })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    url = `http://localhost:${(receiver.address() as AddressInfo).port}/events`
  })
  afterAll(() => void receiver.close())

  test(`${requirement('webhook.every-end', 'webhook.signed', 'webhook.rotation')} report every end, signed`, async () => {
    const { client } = account
    const made = await admin<{ secret: string }>('set', '--account', account.id, '--url', url)
    const done = await convert('md-to-html', bytesOf('# Told\n'))
    const failed = await convert('docx-to-html', picture())
    const waiting = await client.job('md-to-html', 7)
    await client.delete(waiting.jobId)
    const cancelled = await client.readJob(waiting.jobId)
    await expect.poll(() => events.length, { timeout: 60_000 }).toBe(3)
    const received = await Promise.all(
      events.map(({ body, headers }) => verifyWebhook(body, headers, made.secret)),
    )
    expect(new Set(received.map(({ id }) => id)).size).toBe(3)
    for (const { jobId, pair, status, error } of [
      { ...done, pair: 'md-to-html' },
      { ...failed, pair: 'docx-to-html' },
      { ...cancelled, pair: 'md-to-html' },
    ]) {
      const event = received.find(({ data }) => data.jobId === jobId)
      expect(event).toMatchObject({ type: `conversion.${status}`, data: { jobId, pair, status, error } })
    }
    const rotated = await admin<{ secret: string }>('rotate', '--account', account.id, '--overlap', '1h')
    await convert('md-to-html', bytesOf('# Both\n'))
    await expect.poll(() => events.length, { timeout: 60_000 }).toBe(4)
    const { body, headers } = events.at(-1) as Event
    for (const secret of [made.secret, rotated.secret]) await verifyWebhook(body, headers, secret)
  })

  test(`${requirement('webhook.tried-again', 'webhook.no-redirect')} are tried again, sent again, and shown with their answers`, async () => {
    answer = { status: 302, headers: { location: `${url}/elsewhere` }, text: 'over there' }
    const before = events.length
    const { jobId } = await convert('md-to-html', bytesOf('# Again\n'))
    await expect.poll(() => events.length, { timeout: 60_000 }).toBeGreaterThan(before)
    await expect.poll(latest, { timeout: 60_000 }).toMatchObject({
      jobId,
      state: 'waiting',
      answerStatus: 302,
      answerText: expect.stringMatching(/Redirects are not followed. over there/),
    })
    answer = { status: 200, headers: {}, text: 'noted' }
    const refused = events.length
    await admin('send-again', (await latest()).id)
    // The next attempt may have come due meanwhile.
    await expect.poll(() => events.length, { timeout: 60_000 }).toBeGreaterThan(refused)
    expect(new Set(events.slice(before).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    await admin('remove', '--account', account.id)
    expect(await admin('list', '--account', account.id)).toEqual({ webhooks: [] })
    const received = events.length
    await convert('md-to-html', bytesOf('# Untold\n'))
    expect(events.length).toBe(received)
  })
})

describeWithOperator('webhooks, as the service comes', () => {
  test(`${requirement('webhook.not-private')} go to no private address`, async () => {
    if (main.admin === null) throw new Error('There is no admin command.')
    const { id } = await createAccount(main)
    const refused = await runAdmin(
      main.admin,
      'webhook',
      'set',
      '--account',
      id,
      '--url',
      'http://127.0.0.1:9/',
    )
    expect([refused.status, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toMatch(/127\.0\.0\.1 is private, loopback or reserved.*KILN_WEBHOOKS_TO_PRIVATE/)
  })
})
