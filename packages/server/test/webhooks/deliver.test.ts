import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { verifyWebhook, type WebhookEvent } from '@kiln/client'
import { ConversionFailed, type Engine } from '@kiln/converter'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { LanesWorker } from '../../src/conversions/work-lanes.ts'
import { failJob } from '../../src/db/jobs.ts'
import { webhookChannel } from '../../src/db/webhook-deliveries.ts'
import { createLog } from '../../src/log.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { startDelivering } from '../../src/webhooks/deliver.ts'
import { createSend, type Send } from '../../src/webhooks/send.ts'
import { createWebhooks, type Webhooks, webhookKeyPurpose } from '../../src/webhooks/webhooks.ts'
import { type Customer, createCustomer } from '../support/database.ts'
import { useService } from '../support/service.ts'
import { type Received, startReceiver } from './receiver.ts'

const service = useService({ webhooksToPrivate: true })
const key = () => service.storage.keyFor(webhookKeyPurpose)
let webhooks: Webhooks
let customer: Customer
let worker: LanesWorker | null = null
beforeEach(async () => {
  webhooks = createWebhooks({ database: service.database, key: key(), allowPrivate: true })
  customer = await createCustomer(service.database)
})
afterEach(async () => {
  await worker?.drain(0)
  worker = null
  await webhooks.remove(customer.accountId).catch(() => {})
})

const db = () => service.database.kysely
const failure = { word: 'corrupt-input', sentence: 'The file is damaged.' } as const
/** Ends jobs of the account without a worker. */
const endJobs = async (count: number, { job, accountId } = customer) => {
  const ids: string[] = []
  for (let number = 0; number < count; number++) {
    const id = await job()
    await db()
      .transaction()
      .execute((trx) => failJob(trx, id, failure))
    ids.push(id)
  }
  await service.database.notify(webhookChannel, accountId)
  return ids
}
const eventOf = ({ body, headers }: Received, secret: string | string[]) =>
  verifyWebhook(body, headers as Record<string, string>, secret)
const jobOf = ({ body }: Received) => (JSON.parse(body) as WebhookEvent).data.jobId
const allDue = async (attempts = sql`attempts`) => {
  await sql`
    update webhook_deliveries set next_attempt_at = now(), attempts = ${attempts}
    where next_attempt_at is not null and account_id = ${customer.accountId}`.execute(db())
  await service.database.notify(webhookChannel, customer.accountId)
}
const deliveries = () => webhooks.deliveries(customer.accountId, null, 100)
/** Another process that delivers. */
const another = (send: Send) => {
  const delivering = startDelivering({
    ...{ database: service.database, listener: service.listener, metrics: createMetrics(), key: key(), send },
    log: createLog('silent', false),
  })
  onTestFinished(delivering.stop)
  return delivering
}

describe('an event', () => {
  test('is sent for every way in which a job ends, signed, and without a link', async () => {
    const receiver = await startReceiver()
    const { secret } = await webhooks.set(service.customer.accountId, receiver.url)
    onTestFinished(() => webhooks.remove(service.customer.accountId))
    const engines: Engine['convert'] = async ({ outFolder, pair }) => {
      if (pair.from === 'rst') throw new ConversionFailed(failure.word, failure.sentence)
      await writeFile(join(outFolder, 'out.html'), '<p>made</p>')
      return 'out.html'
    }
    const cancelled = await service.convert('# Never begun')
    await service.call(`/v1/conversions/${cancelled}`, { method: 'DELETE' })
    const overdue = await service.customer.job({ uploadSeconds: 0 })
    await service.sweeper.sweepExpired()
    worker = service.startWorker(engines)
    const done = await service.convert('# Done')
    const failed = await service.convert('Failed', 'rst-to-html')
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(4)
    const events = new Map<string, WebhookEvent>()
    for (const received of receiver.received) {
      expect(received.headers['content-type']).toBe('application/json')
      const event = await eventOf(received, secret as string)
      events.set(event.data.jobId, event)
    }
    for (const [jobId, pair, status] of [
      [done, 'md-to-html', 'done'],
      [failed, 'rst-to-html', 'failed'],
      [cancelled, 'md-to-html', 'failed'],
      [overdue, 'md-to-html', 'failed'],
    ] as const) {
      const { error } = await service.poll(jobId)
      expect(events.get(jobId)).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: `conversion.${status}`,
        timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        data: { jobId, pair, status, error },
      })
    }
    expect(await service.metrics.render()).toMatch(/kiln_webhook_duration_seconds_count{result="taken"} 4/)
  })

  test('is written for nobody who has no webhook', async () => {
    await endJobs(2)
    const { rows } =
      await sql`select from webhook_deliveries where account_id = ${customer.accountId}`.execute(db())
    expect(rows).toEqual([])
  })

  test('is tried again when it is refused, under the same id, and shown with the answer', async () => {
    let refusals = 0
    const receiver = await startReceiver((response) =>
      ++refusals <= 2
        ? response.writeHead(500).end(`refusal ${refusals}`)
        : response.writeHead(200).end('thanks'),
    )
    const { secret } = await webhooks.set(customer.accountId, receiver.url)
    const [jobId] = await endJobs(1)
    await expect.poll(async () => (await deliveries())[0]?.answerStatus, { timeout: 5000 }).toBe(500)
    const [first] = await deliveries()
    expect(first).toMatchObject({
      ...{ jobId, type: 'conversion.failed', state: 'waiting', attempts: 1, answerText: 'refusal 1' },
      deliveredAt: null,
    })
    const pause = (first?.nextAttemptAt?.getTime() ?? 0) - (first?.answeredAt?.getTime() ?? 0)
    expect(pause).toBeGreaterThan(4000)
    expect(pause).toBeLessThan(6000)
    await allDue()
    await expect.poll(async () => (await deliveries())[0]?.answerText, { timeout: 5000 }).toBe('refusal 2')
    await allDue()
    await expect.poll(async () => (await deliveries())[0]?.state, { timeout: 5000 }).toBe('delivered')
    expect((await deliveries())[0]).toMatchObject({ attempts: 3, answerStatus: 200, answerText: 'thanks' })
    const ids = await Promise.all(
      receiver.received.map(async (each) => (await eventOf(each, secret as string)).id),
    )
    expect(new Set(ids).size).toBe(1)
    // Asked to, it comes once more.
    await webhooks.sendAgain(first?.id ?? '')
    await expect.poll(() => receiver.received.length, { timeout: 5000 }).toBe(4)
  })

  test('is given up after the last attempt, and may be sent again', async () => {
    const receiver = await startReceiver((response) => response.writeHead(410).end())
    await webhooks.set(customer.accountId, receiver.url)
    await endJobs(1)
    await expect.poll(async () => (await deliveries())[0]?.answerStatus, { timeout: 5000 }).toBe(410)
    await allDue(sql`10`)
    await expect.poll(async () => (await deliveries())[0]?.state, { timeout: 5000 }).toBe('given-up')
    expect((await deliveries())[0]).toMatchObject({ attempts: 11, nextAttemptAt: null })
    await webhooks.sendAgain((await deliveries())[0]?.id ?? '')
    await expect
      .poll(async () => (await deliveries())[0], { timeout: 5000 })
      .toMatchObject({
        ...{ state: 'waiting', attempts: 1, answerStatus: 410 },
      })
  })

  test('reaches a receiver at once while another one hangs with all that it is sent', async () => {
    const slow = await startReceiver(() => {})
    const quick = await startReceiver()
    const neighbour = await createCustomer(service.database)
    await webhooks.set(customer.accountId, slow.url)
    await webhooks.set(neighbour.accountId, quick.url)
    await endJobs(30)
    await expect.poll(() => slow.received.length, { timeout: 5000 }).toBe(4)
    const ids = await endJobs(30, neighbour)
    await expect.poll(() => quick.received.length, { timeout: 6000 }).toBe(30)
    expect(quick.received.map(jobOf).toSorted()).toEqual(ids.toSorted())
    // It holds no more than its share.
    expect(slow.received.length - slow.closed()).toBeLessThanOrEqual(4)
    await webhooks.remove(neighbour.accountId)
  })

  test('is sent by one of many processes', async () => {
    const receiver = await startReceiver()
    await webhooks.set(customer.accountId, receiver.url)
    for (let number = 0; number < 3; number++) another(createSend({ allowPrivate: true }))
    const ids = await endJobs(40)
    await expect
      .poll(async () => (await deliveries()).filter(({ state }) => state === 'delivered').length, {
        timeout: 9000,
      })
      .toBe(40)
    expect(receiver.received.map(jobOf).toSorted()).toEqual(ids.toSorted())
  })

  test('is sent by another process when the one that had it died', async () => {
    const receiver = await startReceiver()
    // It takes the event, sends it, and is never heard of again.
    const sent: string[] = []
    const end = Promise.withResolvers<never>()
    another((_url, headers) => {
      sent.push(headers['webhook-id'] as string)
      return end.promise
    })
    onTestFinished(() => end.reject(new Error('It is dead.')))
    await webhooks.set(customer.accountId, receiver.url)
    const ids = await endJobs(6)
    await expect.poll(() => sent.length + receiver.received.length, { timeout: 5000 }).toBe(6)
    await expect
      .poll(async () => (await deliveries()).filter(({ state }) => state === 'delivered').length, {
        timeout: 5000,
      })
      .toBe(6 - sent.length)
    // The half minute of its claim is over.
    while (receiver.received.length < 6) {
      await allDue()
      await new Promise((done) => setTimeout(done, 300))
    }
    expect(new Set(receiver.received.map(jobOf))).toEqual(new Set(ids))
  })

  test('goes with the record of its job', async () => {
    const receiver = await startReceiver()
    await webhooks.set(customer.accountId, receiver.url)
    const [jobId] = await endJobs(1)
    expect(await deliveries()).toHaveLength(1)
    await sql`delete from jobs where id = ${jobId}`.execute(db())
    expect(await deliveries()).toEqual([])
  })
})

describe('a webhook', () => {
  test('signs with both secrets while one runs out', async () => {
    const receiver = await startReceiver()
    const first = (await webhooks.set(customer.accountId, receiver.url)).secret as string
    // Another address leaves the secret alone.
    expect((await webhooks.set(customer.accountId, `${receiver.url}/2`)).secret).toBeNull()
    const { secret: second, webhook } = await webhooks.rotate(customer.accountId, 3600)
    expect(webhook.oldSecretEndsAt?.getTime()).toBeGreaterThan(Date.now() + 3_500_000)
    await endJobs(1)
    await expect.poll(() => receiver.received.length, { timeout: 5000 }).toBe(1)
    const [both] = receiver.received as [Received]
    for (const secret of [first, second]) await eventOf(both, secret)
    const { secret: third } = await webhooks.rotate(customer.accountId, 0)
    await endJobs(1)
    await expect.poll(() => receiver.received.length, { timeout: 5000 }).toBe(2)
    const [, alone] = receiver.received as [Received, Received]
    await eventOf(alone, third)
    await expect(eventOf(alone, [first, second])).rejects.toThrow(/no signature fits/)
  })

  test('keeps its secret sealed, and says so when the key of the service has changed', async () => {
    const receiver = await startReceiver()
    const { secret } = await webhooks.set(customer.accountId, receiver.url)
    const { rows } = await sql<{ secret: string }>`
      select secret from webhooks where account_id = ${customer.accountId}`.execute(db())
    expect(Buffer.from(rows[0]?.secret ?? '', 'base64').toString('latin1')).not.toContain(
      String(secret).slice(6),
    )
    const sealed = randomBytes(60).toString('base64')
    await sql`update webhooks set secret = ${sealed} where account_id = ${customer.accountId}`.execute(db())
    await endJobs(1)
    await expect
      .poll(async () => (await deliveries())[0]?.answerText, { timeout: 5000 })
      .toMatch(/key of the service has changed. Rotate it/)
    expect(receiver.received).toEqual([])
  })

  test('that is removed at the moment of an end does not fail it', async () => {
    const receiver = await startReceiver()
    await webhooks.set(customer.accountId, receiver.url)
    const id = await customer.job()
    const removed = Promise.withResolvers<void>()
    const removing = db()
      .transaction()
      .execute(async (trx) => {
        await sql`delete from webhooks where account_id = ${customer.accountId}`.execute(trx)
        removed.resolve()
        await new Promise((done) => setTimeout(done, 300))
      })
    await removed.promise
    const ended = await db()
      .transaction()
      .execute((trx) => failJob(trx, id, failure))
    await removing
    expect(ended).not.toBeNull()
    expect(await deliveries()).toEqual([])
  })

  test.each([
    ['too long', `https://example.com/${'x'.repeat(2000)}`],
    ...[
      'ftp://example.com',
      'example.com',
      'https://name:word@example.com/',
      'https://example.com/#part',
    ].map((url) => [url, url]),
    ...[
      'http://localhost/',
      'http://127.0.0.1/',
      'http://[::1]:8080/',
      'http://0x7f.1/',
      'http://10.1.2.3/',
    ].map((url) => [url, url]),
  ])('is not set to %s', async (_, url = '') => {
    const strict = createWebhooks({ database: service.database, key: key(), allowPrivate: false })
    await expect(strict.set(customer.accountId, url)).rejects.toMatchObject({ code: 'bad-request' })
    expect(await strict.find(customer.accountId)).toBeNull()
  })
})
