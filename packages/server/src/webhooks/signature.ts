import { createHmac, randomBytes } from 'node:crypto'

// Signatures according to the Standard Webhooks convention: HMAC-SHA256 over id, time and body, with the bytes after
// `whsec_`. Until an old secret expires there are two signatures, so that a receiver may verify with either secret.

const prefix = 'whsec_'

export const makeSecret = (): string => prefix + randomBytes(32).toString('base64')

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
