import type { KeyObject } from 'node:crypto'
import { findAccount } from '../db/accounts.ts'
import type { Database } from '../db/connect.ts'
import {
  type DeliveryRecord,
  listDeliveries,
  sendDeliveryAgain,
  webhookChannel,
} from '../db/webhook-deliveries.ts'
import { deleteWebhook, listWebhooks, putWebhook, rotateSecret, type WebhookRecord } from '../db/webhooks.ts'
import { refused } from '../errors.ts'
import { sealText } from '../sealed-text.ts'
import { isPublicAddress } from './addresses.ts'
import { makeSecret } from './signature.ts'

// The operator's operations on the webhook of an account. The clear text of a secret is returned once.

/** The purpose of the key that encrypts the secrets. */
export const webhookKeyPurpose = 'secrets of webhooks'

export interface Webhooks {
  list(accountId?: string): Promise<WebhookRecord[]>
  find(accountId: string): Promise<WebhookRecord | null>
  /** `secret` is set for a new webhook; an existing one keeps its secret. */
  set(accountId: string, url: string): Promise<{ webhook: WebhookRecord; secret: string | null }>
  /** Until the overlap is over, events have a second signature with the old secret. */
  rotate(accountId: string, overlapSeconds: number): Promise<{ webhook: WebhookRecord; secret: string }>
  /** Events that have not been delivered are discarded. */
  remove(accountId: string): Promise<void>
  deliveries(accountId: string, before: string | null, limit: number): Promise<DeliveryRecord[]>
  /** With `ofAccount`, deliveries of other accounts are refused. */
  sendAgain(deliveryId: string, ofAccount?: string): Promise<void>
}

export interface WebhooksParts {
  database: Database
  /** Encrypts the secrets. */
  key: KeyObject
  /** May webhooks be sent to this machine and its network? */
  allowPrivate: boolean
}

const longestUrl = 2000

export function createWebhooks({ database, key, allowPrivate }: WebhooksParts): Webhooks {
  const db = database.kysely
  const find = async (accountId: string) => (await listWebhooks(db, accountId))[0] ?? null
  const require = async (accountId: string) => {
    const webhook = await find(accountId)
    if (!webhook) throw refused('not-found', 'This account has no webhook.')
    return webhook
  }
  return {
    list: (accountId) => listWebhooks(db, accountId),
    find,
    async set(accountId, url) {
      checkUrl(url, allowPrivate)
      if (!(await findAccount(db, accountId))) throw refused('not-found', `There is no account ${accountId}.`)
      const secret = makeSecret()
      const isNew = await putWebhook(db, { accountId, url, secret: sealText(key, secret) })
      return { webhook: await require(accountId), secret: isNew ? secret : null }
    },
    async rotate(accountId, overlapSeconds) {
      const secret = makeSecret()
      await rotateSecret(db, accountId, sealText(key, secret), overlapSeconds)
      return { webhook: await require(accountId), secret }
    },
    async remove(accountId) {
      if (!(await deleteWebhook(db, accountId))) throw refused('not-found', 'This account has no webhook.')
    },
    deliveries: (accountId, before, limit) => listDeliveries(db, accountId, before, limit),
    async sendAgain(deliveryId, ofAccount) {
      const accountId = await sendDeliveryAgain(db, deliveryId, ofAccount ?? null)
      if (!accountId) throw refused('not-found', 'There is no delivery with this id.')
      await database.notify(webhookChannel, accountId)
    },
  }
}

/** The checks of an address that need no DNS lookup; the others are made when it is sent to. */
export function checkUrl(url: string, allowPrivate: boolean): void {
  const parsed = url.length <= longestUrl && URL.canParse(url) ? new URL(url) : null
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.hash !== '') {
    throw refused('bad-request', 'The address must be a URL, like https://example.com/kiln-events.')
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw refused('bad-request', 'The address must not hold a name or a password; events are signed instead.')
  }
  const host = parsed.hostname.replace(/^\[|\]$/g, '')
  const isAddress = /^[\d.]+$|:/.test(host)
  if (!allowPrivate && (host === 'localhost' || (isAddress && !isPublicAddress(host)))) {
    throw refused(
      'bad-request',
      `${host} is private, loopback or reserved. Webhooks go to public addresses only, unless KILN_WEBHOOKS_TO_PRIVATE is set.`,
    )
  }
}
