import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Send, SentBody } from '../../webhooks/send.ts'
import type { CompatParts } from '../compat-app.ts'
import { toCompatAnswer } from '../errors.ts'
import type { WholeOutput } from '../outputs.ts'
import { InvalidForm } from './fields.ts'

// A request with the header Gotenberg-Webhook-Url is answered with 204 as soon as its form has arrived. The result is
// sent to the address in the header, a failure to the address for errors, and an event to the address for events.
// Addresses and headers come from the caller: the rules for the webhooks of accounts apply (webhooks/addresses.ts), and
// headers that affect how a request is parsed cannot be set. Deliveries are not persisted: a caller that needs delivery
// across a restart of the service uses the job API.

type Method = 'POST' | 'PUT' | 'PATCH'

export interface Webhook {
  url: string
  method: Method
  errorUrl: string | undefined
  errorMethod: Method
  eventsUrl: string | undefined
  headers: Readonly<Record<string, string>>
}

const prefix = 'gotenberg-webhook-'
const pausesSeconds = [1, 5, 25]

/** Undefined when the request has no webhook. */
export function readWebhook(request: FastifyRequest, checkUrl: (url: string) => void): Webhook | undefined {
  const text = (name: string) => {
    const given = request.headers[prefix + name]
    return typeof given === 'string' && given.trim() !== '' ? given.trim() : undefined
  }
  if (!Object.keys(request.headers).some((name) => name.startsWith(prefix))) return undefined
  const address = (name: string) => {
    const url = text(name)
    if (url !== undefined) checkUrl(url)
    return url
  }
  const [url, errorUrl, eventsUrl] = [address('url'), address('error-url'), address('events-url')]
  if (url === undefined)
    throw new InvalidForm("Invalid 'Gotenberg-Webhook-Url' header: it is empty or missing")
  if (errorUrl === undefined && eventsUrl === undefined)
    throw new InvalidForm(
      "A request with 'Gotenberg-Webhook-Url' also needs 'Gotenberg-Webhook-Error-Url' or 'Gotenberg-Webhook-Events-Url'",
    )
  return {
    url,
    errorUrl,
    eventsUrl,
    method: methodOf(text('method'), 'Method'),
    errorMethod: methodOf(text('error-method'), 'Error-Method'),
    headers: { ...extraHeaders(text('extra-http-headers')), ...traceHeaders(request) },
  }
}

function methodOf(given: string | undefined, name: string): Method {
  const method = (given ?? 'POST').toUpperCase()
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') return method
  throw new InvalidForm(`Invalid 'Gotenberg-Webhook-${name}' header: expected POST, PUT or PATCH`)
}

/** Headers that frame the message or change its destination. */
const forbidden =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/
const maxHeaders = 50

function extraHeaders(text: string | undefined): Record<string, string> {
  if (text === undefined) return {}
  let entries: [string, unknown][]
  try {
    entries = Object.entries(JSON.parse(text) as object)
  } catch {
    // The message must be Gotenberg's, not Node's.
    throw new InvalidForm("Invalid 'Gotenberg-Webhook-Extra-Http-Headers' header: it is no JSON object")
  }
  const found: Record<string, string> = {}
  for (const [given, value] of entries) {
    const name = given.toLowerCase()
    const isValid =
      /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) &&
      typeof value === 'string' &&
      /^[\t\x20-\x7e]{0,2000}$/.test(value)
    if (!isValid || forbidden.test(name) || entries.length > maxHeaders)
      throw new InvalidForm(
        `Invalid 'Gotenberg-Webhook-Extra-Http-Headers' header: '${given.replaceAll(/[^\w-]/g, '?').slice(0, 60)}' cannot be set`,
      )
    found[name] = value
  }
  return found
}

/** The trace continues with a new span. */
function traceHeaders({ headers }: FastifyRequest): Record<string, string> {
  const given = headers.traceparent
  const trace =
    typeof given === 'string' && /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(given)?.[1]
  return trace ? { traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01` } : {}
}

/** Runs the work of a request and sends its result. */
export async function runWithWebhook(
  { webhooks, log, metrics }: CompatParts,
  webhook: Webhook,
  trace: string,
  work: () => Promise<WholeOutput>,
): Promise<void> {
  const base = { 'user-agent': 'Kiln-Webhooks/1', 'gotenberg-trace': trace }
  const deliver = async (url: string, headers: Record<string, string>, body: SentBody, method: Method) => {
    const answer = await sendWithRetries(webhooks.send, [url, { ...base, ...headers }, body, method])
    metrics.webhookSent(answer.isTaken ? 'taken' : 'given-up', answer.milliseconds / 1000)
    if (!answer.isTaken) log.warn({ correlation_id: trace, status: answer.status }, 'webhook of a request')
  }
  const event = async (values: object) => {
    if (webhook.eventsUrl === undefined) return
    const body = JSON.stringify({ ...values, correlationId: trace, timestamp: new Date().toISOString() })
    await deliver(webhook.eventsUrl, { ...webhook.headers, 'content-type': 'application/json' }, body, 'POST')
  }
  try {
    const output = await work()
    const body = { bytes: output.bytes, open: output.open }
    await deliver(webhook.url, { ...output.headers, ...webhook.headers }, body, webhook.method)
    await event({ event: 'webhook.success' })
  } catch (error) {
    const { status, message } = toCompatAnswer(error)
    if (status >= 500) log.error({ err: error, correlation_id: trace }, 'request failed')
    const headers = { ...webhook.headers, 'content-type': 'application/json' }
    if (webhook.errorUrl !== undefined)
      await deliver(webhook.errorUrl, headers, JSON.stringify({ status, message }), webhook.errorMethod)
    await event({ event: 'webhook.error', error: { status, message } })
  }
}

/** Retries a few times when the receiver refuses or does not answer. */
async function sendWithRetries(send: Send, request: Parameters<Send>) {
  for (const seconds of pausesSeconds) {
    const answer = await send(...request)
    if (answer.isTaken) return answer
    await pause(seconds * 1000)
  }
  return send(...request)
}
