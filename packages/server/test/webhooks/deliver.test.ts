import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WebhookEvent } from '@kiln/client'
import { ConversionFailed, type Engine } from '@kiln/converter'
import { sql } from 'kysely'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import type { LanesWorker } from '../../src/conversions/work-lanes.ts'
import { webhookChannel } from '../../src/db/webhooks.ts'
import { createLog } from '../../src/log/log.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { startDelivering } from '../../src/webhooks/deliver.ts'
import { createSend, type Send } from '../../src/webhooks/send.ts'
import { createCustomer } from '../support/database.ts'
import { type Received, startReceiver } from './receiver.ts'
import { eventOf, failure, useWebhooks } from './use-webhooks.ts'

const account = useWebhooks()
const { service, key, db } = account
let worker: LanesWorker | null = null
afterEach(async () => {
  await worker?.drain(0)
  worker = null
})

const jobOf = ({ body }: Received) => (JSON.parse(body) as WebhookEvent).data.jobId
const allDue = async (attempts = sql`attempts`) => {
  await sql`
    update webhook_deliveries set next_attempt_at = now(), attempts = ${attempts}
    where next_attempt_at is not null and account_id = ${account.customer.accountId}`.execute(db())
  await service.database.notify(webhookChannel, account.customer.accountId)
}
/** Another process that delivers. */
const another = (send: Send) => {
  const delivering = startDelivering({
    database: service.database,
    listener: service.listener,
    metrics: createMetrics(),
    key: key(),
    send,
    log: createLog('silent', false),
  })
  onTestFinished(delivering.stop)
  return delivering
}

describe('an event', () => {
  test('is sent for every way in which a job ends, signed, and without a link', async () => {
    const receiver = await startReceiver()
    const { secret } = await account.webhooks.set(service.customer.accountId, receiver.url)
    onTestFinished(() => account.webhooks.remove(service.customer.accountId))
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

  test('is not written for an account without a webhook', async () => {
    await account.endJobs(2)
    const { rows } =
      await sql`select from webhook_deliveries where account_id = ${account.customer.accountId}`.execute(db())
    expect(rows).toEqual([])
  })

  test('is tried again when it is refused, under the same id, and shown with the answer', async () => {
    let refusals = 0
    const receiver = await startReceiver((response) =>
      ++refusals <= 2
        ? response.writeHead(500).end(`refusal ${refusals}`)
        : response.writeHead(200).end('thanks'),
    )
    const { secret } = await account.webhooks.set(account.customer.accountId, receiver.url)
    const [jobId] = await account.endJobs(1)
    await expect
      .poll(async () => (await account.deliveries())[0]?.answerStatus, { timeout: 20_000 })
      .toBe(500)
    const [first] = await account.deliveries()
    expect(first).toMatchObject({
      jobId,
      type: 'conversion.failed',
      state: 'waiting',
      attempts: 1,
      answerText: 'refusal 1',
      deliveredAt: null,
    })
    const pause = (first?.nextAttemptAt?.getTime() ?? 0) - (first?.answeredAt?.getTime() ?? 0)
    expect(pause).toBeGreaterThan(4000)
    expect(pause).toBeLessThan(6000)
    await allDue()
    await expect
      .poll(async () => (await account.deliveries())[0]?.answerText, { timeout: 20_000 })
      .toBe('refusal 2')
    await allDue()
    await expect
      .poll(async () => (await account.deliveries())[0]?.state, { timeout: 20_000 })
      .toBe('delivered')
    expect((await account.deliveries())[0]).toMatchObject({
      attempts: 3,
      answerStatus: 200,
      answerText: 'thanks',
    })
    const ids = await Promise.all(
      receiver.received.map(async (each) => (await eventOf(each, secret as string)).id),
    )
    expect(new Set(ids).size).toBe(1)
    // Asked to, it comes once more.
    await account.webhooks.sendAgain(first?.id ?? '')
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(4)
  })

  test('is given up after the last attempt, and may be sent again', async () => {
    const receiver = await startReceiver((response) => response.writeHead(410).end())
    await account.webhooks.set(account.customer.accountId, receiver.url)
    await account.endJobs(1)
    await expect
      .poll(async () => (await account.deliveries())[0]?.answerStatus, { timeout: 20_000 })
      .toBe(410)
    await allDue(sql`10`)
    await expect
      .poll(async () => (await account.deliveries())[0]?.state, { timeout: 20_000 })
      .toBe('given-up')
    expect((await account.deliveries())[0]).toMatchObject({ attempts: 11, nextAttemptAt: null })
    await account.webhooks.sendAgain((await account.deliveries())[0]?.id ?? '')
    await expect
      .poll(async () => (await account.deliveries())[0], { timeout: 20_000 })
      .toMatchObject({
        state: 'waiting',
        attempts: 1,
        answerStatus: 410,
      })
  })

  test('reaches a receiver at once while another one hangs with all that it is sent', async () => {
    const slow = await startReceiver(() => {})
    const quick = await startReceiver()
    const neighbour = await createCustomer(service.database)
    await account.webhooks.set(account.customer.accountId, slow.url)
    await account.webhooks.set(neighbour.accountId, quick.url)
    await account.endJobs(30)
    await expect.poll(() => slow.received.length, { timeout: 20_000 }).toBe(4)
    const ids = await account.endJobs(30, neighbour)
    await expect.poll(() => quick.received.length, { timeout: 6000 }).toBe(30)
    expect(quick.received.map(jobOf).toSorted()).toEqual(ids.toSorted())
    // It holds no more than its share.
    expect(slow.maxOpen()).toBe(4)
    await account.webhooks.remove(neighbour.accountId)
  })

  test('is sent by one of many processes', async () => {
    const receiver = await startReceiver()
    await account.webhooks.set(account.customer.accountId, receiver.url)
    for (let number = 0; number < 3; number++) another(createSend({ allowPrivate: true }))
    const ids = await account.endJobs(40)
    await expect
      .poll(async () => (await account.deliveries()).filter(({ state }) => state === 'delivered').length, {
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
    // It may have taken none.
    end.promise.catch(() => {})
    another((_url, headers) => {
      sent.push(headers['webhook-id'] as string)
      return end.promise
    })
    onTestFinished(() => end.reject(new Error('It is dead.')))
    await account.webhooks.set(account.customer.accountId, receiver.url)
    const ids = await account.endJobs(6)
    await expect.poll(() => sent.length + receiver.received.length, { timeout: 20_000 }).toBe(6)
    await expect
      .poll(async () => (await account.deliveries()).filter(({ state }) => state === 'delivered').length, {
        timeout: 20_000,
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
    await account.webhooks.set(account.customer.accountId, receiver.url)
    const [jobId] = await account.endJobs(1)
    expect(await account.deliveries()).toHaveLength(1)
    await sql`delete from jobs where id = ${jobId}`.execute(db())
    expect(await account.deliveries()).toEqual([])
  })
})
