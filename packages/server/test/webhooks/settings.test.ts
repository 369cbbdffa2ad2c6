import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { failJob } from '../../src/db/jobs.ts'
import { createWebhooks } from '../../src/webhooks/webhooks.ts'
import { type Received, startReceiver } from './receiver.ts'
import { eventOf, failure, useWebhooks } from './use-webhooks.ts'

const account = useWebhooks()
const { service, key, db } = account

describe('a webhook', () => {
  test('signs with both secrets while one runs out', async () => {
    const receiver = await startReceiver()
    const first = (await account.webhooks.set(account.customer.accountId, receiver.url)).secret as string
    // Another address leaves the secret alone.
    expect((await account.webhooks.set(account.customer.accountId, `${receiver.url}/2`)).secret).toBeNull()
    const { secret: second, webhook } = await account.webhooks.rotate(account.customer.accountId, 3600)
    expect(webhook.oldSecretEndsAt?.getTime()).toBeGreaterThan(Date.now() + 3_500_000)
    await account.endJobs(1)
    await expect.poll(() => receiver.received.length, { timeout: 5000 }).toBe(1)
    const [both] = receiver.received as [Received]
    for (const secret of [first, second]) await eventOf(both, secret)
    const { secret: third } = await account.webhooks.rotate(account.customer.accountId, 0)
    await account.endJobs(1)
    await expect.poll(() => receiver.received.length, { timeout: 5000 }).toBe(2)
    const [, alone] = receiver.received as [Received, Received]
    await eventOf(alone, third)
    await expect(eventOf(alone, [first, second])).rejects.toThrow(/no signature fits/)
  })

  test('keeps its secret sealed, and says so when the key of the service has changed', async () => {
    const receiver = await startReceiver()
    const { secret } = await account.webhooks.set(account.customer.accountId, receiver.url)
    const { rows } = await sql<{ secret: string }>`
      select secret from webhooks where account_id = ${account.customer.accountId}`.execute(db())
    expect(Buffer.from(rows[0]?.secret ?? '', 'base64').toString('latin1')).not.toContain(
      String(secret).slice(6),
    )
    const sealed = randomBytes(60).toString('base64')
    await sql`update webhooks set secret = ${sealed} where account_id = ${account.customer.accountId}`.execute(
      db(),
    )
    await account.endJobs(1)
    await expect
      .poll(async () => (await account.deliveries())[0]?.answerText, { timeout: 5000 })
      .toMatch(/key of the service has changed. Rotate it/)
    expect(receiver.received).toEqual([])
  })

  test('that is removed at the moment of an end does not fail it', async () => {
    const receiver = await startReceiver()
    await account.webhooks.set(account.customer.accountId, receiver.url)
    const id = await account.customer.job()
    const removed = Promise.withResolvers<void>()
    const removing = db()
      .transaction()
      .execute(async (trx) => {
        await sql`delete from webhooks where account_id = ${account.customer.accountId}`.execute(trx)
        removed.resolve()
        await new Promise((done) => setTimeout(done, 300))
      })
    await removed.promise
    const ended = await db()
      .transaction()
      .execute((trx) => failJob(trx, id, failure))
    await removing
    expect(ended).not.toBeNull()
    expect(await account.deliveries()).toEqual([])
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
    await expect(strict.set(account.customer.accountId, url)).rejects.toMatchObject({ code: 'bad-request' })
    expect(await strict.find(account.customer.accountId)).toBeNull()
  })
})
