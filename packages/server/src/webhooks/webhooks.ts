import { createHmac, type KeyObject, randomBytes } from 'node:crypto'
import { findAccount } from '../db/accounts.ts'
import type { Database } from '../db/connect.ts'
import {
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  putWebhook,
  rotateSecret,
  sendDeliveryAgain,
  webhookChannel,
} from '../db/webhooks.ts'
import { refused } from '../errors.ts'
import { sealText } from '../sealed-text.ts'
import { isPublicAddress } from './addresses.ts'

// The operator's operations on the webhook of an account. The clear text of a secret is returned once.

/** The purpose of the key that encrypts the secrets. */
export const webhookKeyPurpose = 'secrets of webhooks'

export interface WebhooksParts {
  database: Database
  /** Encrypts the secrets. */
  key: KeyObject
  /** May webhooks be sent to this machine and its network? */
  allowPrivate: boolean
}

const longestUrl = 2000

export function createWebhooks({ database, key, allowPrivate }: WebhooksParts) {
  const db = database.kysely
  const find = async (accountId: string) => (await listWebhooks(db, accountId))[0] ?? null
  const require = async (accountId: string) => {
    const webhook = await find(accountId)
    if (!webhook) throw refused('not-found', 'This account has no webhook.')
    return webhook
  }
  return {
    list: (accountId?: string) => listWebhooks(db, accountId),
    find,
    /** `secret` is set for a new webhook; an existing one keeps its secret. */
    async set(accountId: string, url: string) {
      checkUrl(url, allowPrivate)
      if (!(await findAccount(db, accountId))) throw refused('not-found', `There is no account ${accountId}.`)
      const secret = makeSecret()
      const isNew = await putWebhook(db, { accountId, url, secret: sealText(key, secret) })
      return { webhook: await require(accountId), secret: isNew ? secret : null }
    },
    /** Until the overlap is over, events have a second signature with the old secret. */
    async rotate(accountId: string, overlapSeconds: number) {
      const secret = makeSecret()
      await rotateSecret(db, accountId, sealText(key, secret), overlapSeconds)
      return { webhook: await require(accountId), secret }
    },
    /** Events that have not been delivered are discarded. */
    async remove(accountId: string): Promise<void> {
      if (!(await deleteWebhook(db, accountId))) throw refused('not-found', 'This account has no webhook.')
    },
    deliveries: (accountId: string, before: string | null, limit: number) =>
      listDeliveries(db, accountId, before, limit),
    /** With `ofAccount`, deliveries of other accounts are refused. */
    async sendAgain(deliveryId: string, ofAccount?: string): Promise<void> {
      const accountId = await sendDeliveryAgain(db, deliveryId, ofAccount ?? null)
      if (!accountId) throw refused('not-found', 'There is no delivery with this id.')
      await database.notify(webhookChannel, accountId)
    },
  }
}

export type Webhooks = ReturnType<typeof createWebhooks>

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

// Signatures according to the Standard Webhooks convention: HMAC-SHA256 over id, time and body, with the bytes after
// `whsec_`. Until an old secret expires there are two signatures, so that a receiver may verify with either secret.

const prefix = 'whsec_'

const makeSecret = (): string => prefix + randomBytes(32).toString('base64')

export interface Signed {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

export function sign(secrets: readonly string[], id: string, at: Date, body: string): Signed {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
