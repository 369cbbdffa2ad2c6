import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { type ErrorBody, statusOfCode } from '@kiln/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { at } from '../at.ts'
import { KilnError, refused } from '../errors.ts'
import type { Log } from '../log/log.ts'

// The only place where an error becomes an HTTP response. Callers see a sentence and a code; the log gets the cause.

export type AnswerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

export const createErrorHandler =
  (log: Log): AnswerError =>
  (error, request, reply) => {
    const answer = toAnswer(error)
    if (answer.status >= 500) {
      log.error(
        { err: error, requestId: request.id, method: request.method, path: pathOf(request) },
        'request failed',
      )
    }
    cutOffUnreadBody(request.raw)
    reply.code(answer.status).headers(answer.headers).header('request-id', request.id)
    // Serialized here, not by a route's schema, because requests that match no route get this body too.
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(answer.body)
  }

export interface ErrorAnswer {
  status: number
  body: ErrorBody
  headers: Readonly<Record<string, string>>
}

export function toAnswer(error: unknown): ErrorAnswer {
  const { code, message, headers } = toKilnError(error)
  return { status: statusOfCode[code], body: { error: message, code }, headers }
}

const internalSentence = 'Something went wrong on our side. Try again; if it persists, report the request id.'

function toKilnError(error: unknown): KilnError {
  if (error instanceof KilnError) return error
  const fastify = error as Partial<FastifyError>
  if (fastify.validation) return refused('bad-request', validationSentence(fastify))
  const sentence = sentences[fastify.code ?? '']
  if (sentence) return refused('bad-request', sentence)
  // Fastify's own 4xx errors are the caller's fault.
  if (fastify.statusCode && fastify.statusCode >= 400 && fastify.statusCode < 500) {
    return refused('bad-request', 'The request is malformed.')
  }
  return new KilnError('internal', internalSentence, { cause: error })
}

const sentences: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be JSON: send the header Content-Type: application/json.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty; send a JSON object with `pair` and `bytes`.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body of this request is too large.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The Content-Length header does not fit the body.',
  FST_ERR_BAD_URL: 'The address of the request is malformed.',
}

function validationSentence(error: Partial<FastifyError>): string {
  const first = error.validation?.[0]
  const where = first?.instancePath ? `\`${first.instancePath.slice(1).replaceAll('/', '.')}\`` : 'The body'
  if (first?.keyword === 'minimum' && first.instancePath === '/bytes')
    return '`bytes` must be at least 1: an empty file cannot be converted.'
  return `${where} ${first?.message ?? 'is not valid'}.`
}

/** The path without its query: link signatures stay out of the log. */
export const pathOf = (request: { url: string }): string => at(request.url.split('?', 1), 0)

/** The response to data that is not a valid request: malformed HTTP, oversized headers, a client that is too slow. */
export function rawErrorAnswer(code: string | undefined, requestId: string): string {
  const answer = toAnswer(rawErrors[code ?? ''] ?? refused('bad-request', 'The request is not valid HTTP.'))
  const body = JSON.stringify(answer.body)
  return [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `request-id: ${requestId}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}

const rawErrors: Readonly<Record<string, KilnError>> = {
  HPE_HEADER_OVERFLOW: refused('headers-too-large', 'The headers of the request are larger than 16 KB.'),
  ERR_HTTP_REQUEST_TIMEOUT: refused('request-timeout', 'The request took too long to arrive.'),
}

const lookEveryMilliseconds = 1000
const maxLooks = 10
const maxBytes = 16 * 1024 * 1024
/** After each chunk of up to 64 KB. */
const pauseMilliseconds = 10

/**
 * A refused request may still be sending its body. The bytes are discarded, so that the client can read the response
 * and reuse the connection: many clients read only after they have sent everything. The connection is closed when no
 * more bytes arrive, and when too many do. It is read slowly, so that repeated refused requests cannot keep the event
 * loop busy with bytes that are not used.
 */
export function cutOffUnreadBody(request: IncomingMessage): void {
  if (request.complete) return
  const { socket } = request
  const bytesAllowed = socket.bytesRead + maxBytes
  let [looks, bytesSeen] = [0, -1]
  request.on('data', () => {
    request.pause()
    setTimeout(() => request.resume(), pauseMilliseconds).unref()
  })
  const clock = setInterval(() => {
    const { bytesRead } = socket
    looks += 1
    if (request.complete || socket.destroyed) clearInterval(clock)
    else if (bytesRead === bytesSeen || bytesRead > bytesAllowed || looks === maxLooks) socket.destroy()
    bytesSeen = bytesRead
  }, lookEveryMilliseconds).unref()
}
