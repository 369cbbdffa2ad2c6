import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { failJob } from '../../src/db/jobs.ts'
import { openListener } from '../../src/db/listen.ts'
import { webhookChannel } from '../../src/db/webhooks.ts'
import { createLog } from '../../src/log/log.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { startDelivering } from '../../src/webhooks/deliver.ts'
import { createSend } from '../../src/webhooks/send.ts'
import { createWebhooks } from '../../src/webhooks/webhooks.ts'
import { type Customer, createCustomer, useDatabase } from '../support/database.ts'
import { startReceiver } from './receiver.ts'

// A process with eight request slots, and more receivers than that which hang.

const context = useDatabase()
const held = 300

test('receivers that hang take no place from one that answers', async () => {
  const { database } = context
  const key = createSecretKey(randomBytes(32))
  const webhooks = createWebhooks({ database, key, allowPrivate: true })
  const listener = await openListener(database.connectionString, [webhookChannel])
  onTestFinished(listener.close)
  const quick = await startReceiver()
  const hanging = await startReceiver(() => {})
  const customers = await Promise.all(Array.from({ length: 6 }, () => createCustomer(database)))
  const [customer, ...others] = customers as [Customer, ...Customer[]]
  for (const { accountId } of customers)
    await webhooks.set(accountId, accountId === customer.accountId ? quick.url : hanging.url)
  const endJob = async ({ job, accountId }: Customer) => {
    const id = await job()
    const failure = { word: 'timeout', sentence: 'It took too long.' } as const
    await database.kysely.transaction().execute((trx) => failJob(trx, id, failure))
    await database.notify(webhookChannel, accountId)
  }
  for (const other of others) for (let number = 0; number < 8; number++) await endJob(other)
  const delivering = startDelivering({
    database,
    listener,
    key,
    metrics: createMetrics(),
    log: createLog('silent', false),
    atOnce: 8,
    send: createSend({ allowPrivate: true, withinMilliseconds: held }),
  })
  onTestFinished(delivering.stop)
  // All of them have been found out: from then on half of the room is theirs at most.
  await expect.poll(() => hanging.received.length, { timeout: 20_000 }).toBeGreaterThan(20)
  let peak = 0
  for (let number = 0; number < 20; number++) {
    peak = Math.max(peak, hanging.received.length - hanging.closed())
    await endJob(customer)
    await expect.poll(() => quick.received.length, { interval: 5, timeout: 10_000 }).toBe(number + 1)
  }
  expect(peak).toBeGreaterThan(0)
  expect(peak).toBeLessThanOrEqual(4)
})
