import { verifyWebhook } from '@kiln/client'
import { afterEach, beforeEach } from 'vitest'
import { failJob } from '../../src/db/jobs.ts'
import { webhookChannel } from '../../src/db/webhooks.ts'
import { createWebhooks, type Webhooks, webhookKeyPurpose } from '../../src/webhooks/webhooks.ts'
import { type Customer, createCustomer } from '../support/database.ts'
import { useService } from '../support/service.ts'
import type { Received } from './receiver.ts'

// A service that delivers, and for each test a customer without a webhook yet.

export const failure = { word: 'corrupt-input', sentence: 'The file is damaged.' } as const

export function useWebhooks() {
  const service = useService({ webhooksToPrivate: true })
  const key = () => service.storage.keyFor(webhookKeyPurpose)
  const db = () => service.database.kysely
  let webhooks: Webhooks
  let customer: Customer
  beforeEach(async () => {
    webhooks = createWebhooks({ database: service.database, key: key(), allowPrivate: true })
    customer = await createCustomer(service.database)
  })
  // Some tests have removed the webhook themselves.
  afterEach(() => webhooks.remove(customer.accountId).catch(() => {}))
  return {
    service,
    key,
    db,
    get webhooks() {
      return webhooks
    },
    get customer() {
      return customer
    },
    /** Ends jobs of the account without a worker. */
    async endJobs(count: number, { job, accountId } = customer) {
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
    },
    deliveries: () => webhooks.deliveries(customer.accountId, null, 100),
  }
}

export const eventOf = ({ body, headers }: Received, secret: string | string[]) =>
  verifyWebhook(body, headers as Record<string, string>, secret)
