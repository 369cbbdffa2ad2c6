import type { JobStatus } from '@kiln/contract'
import { KilnError } from './errors.ts'

// Events of a service, as a receiver gets them: signed after the Standard Webhooks convention. The comparison is that of
// Web Crypto, which takes as long for a wrong signature as for a right one.

export interface WebhookEvent {
  /** The same for every time that the event is sent: who has seen it before may ignore it. */
  id: string
  type: 'conversion.done' | 'conversion.failed'
  /** When the job ended. */
  timestamp: string
  data: {
    jobId: string
    pair: string
    status: Extract<JobStatus, 'done' | 'failed'>
    error: string | null
  }
}

/** The request is not from the service, or too old, or it was modified. */
export class WebhookError extends KilnError {
  override name = 'WebhookError'
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** Maximum difference of both clocks, including transmission, in seconds; 300 if not given. */
  tolerance?: number | undefined
}

const maxSignatures = 20

/**
 * The event of a request to your webhook, if the service has signed it. Give the body as it came, before anything parsed
 * it, and all secrets that may be in use: while one is rotated there are two.
 *
 *     const event = await verifyWebhook(await request.text(), request.headers, process.env.KILN_WEBHOOK_SECRET)
 *
 * Throws a WebhookError for everything else: answer that with 400.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { tolerance = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const given = headerOf(headers, 'webhook-signature')
  const late = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!/^\d{1,12}$/.test(timestamp) || late > tolerance) {
    throw refused(`it was signed more than ${tolerance} seconds ago or ahead. Is the clock right?`)
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const content = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const signatures = given
    .split(' ', maxSignatures)
    .flatMap((each) => (each.startsWith('v1,') ? (bytesOf(each.slice(3)) ?? []) : []))
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await importSecret(secret)
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, content)) return parse(id, bytes)
  }
  throw refused('no signature fits. Is the secret right, and is the body as it came?')
}

const refused = (reason: string) =>
  new WebhookError('invalid-webhook', `This is not an event of the service: ${reason}`)

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueIn(headers, name)
  if (typeof value === 'string' && value !== '') return value
  throw refused(`it has no header ${name}.`)
}

/** Node gives names in lower case, other frameworks as they were sent. */
function valueIn(headers: Exclude<WebhookHeaders, Headers>, name: string): unknown {
  return headers[name] ?? Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
}

async function importSecret(secret: string) {
  const bytes = secret.startsWith('whsec_') ? bytesOf(secret.slice('whsec_'.length)) : undefined
  if (!bytes || bytes.byteLength === 0) {
    throw new KilnError('invalid-options', 'The secret of a webhook is whsec_ followed by base64.')
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    // Not base64.
    return undefined
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.byteLength + second.byteLength)
  all.set(first)
  all.set(second, first.byteLength)
  return all
}

function parse(id: string, bytes: Uint8Array): WebhookEvent {
  const event = JSON.parse(new TextDecoder().decode(bytes)) as Omit<WebhookEvent, 'id'>
  return { ...event, id }
}
