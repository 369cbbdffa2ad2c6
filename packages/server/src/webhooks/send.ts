import type { LookupAddress } from 'node:dns'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { findAddresses, NotReached, type Resolve } from './addresses.ts'

// One request to a receiver. Its duration is limited, from the DNS lookup to the last byte that is read, and so is the
// part of the response that is read. Redirects are not followed. Only a 2xx response means that the receiver has
// accepted the event.

export interface Answer {
  isTaken: boolean
  /** Null when there was no response. */
  status: number | null
  /** The beginning of the response, or why there was none. Untrusted. */
  text: string
  milliseconds: number
}

export interface SendParts {
  allowPrivate: boolean
  withinMilliseconds?: number
  resolve?: Resolve
}

const usualMilliseconds = 10_000
const maxBytes = 2000
const maxCharacters = 500

/** A text, or a file that is opened when it is sent; its length is null when it is not known in advance. */
export type SentBody = string | { bytes: number | null; open: () => Promise<Readable> }

export type Send = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: SentBody,
  method?: 'POST' | 'PUT' | 'PATCH',
) => Promise<Answer>

export function createSend({
  allowPrivate,
  withinMilliseconds = usualMilliseconds,
  resolve,
}: SendParts): Send {
  return async (url, headers, body, method = 'POST') => {
    const start = performance.now()
    const deadline = AbortSignal.timeout(withinMilliseconds)
    const answerOf = (status: number | null, text: string): Answer => ({
      isTaken: status !== null && status >= 200 && status < 300,
      status,
      text,
      milliseconds: Math.round(performance.now() - start),
    })
    try {
      const looked = findAddresses(new URL(url).hostname, allowPrivate, resolve)
      const addresses = await orAborted(looked, deadline)
      const { status, text } = await post({
        url,
        method,
        headers,
        body: await opened(body),
        addresses,
        signal: deadline,
      })
      return answerOf(status, text)
    } catch (error) {
      if (!deadline.aborted) return answerOf(null, sentenceOf(error))
      return answerOf(null, `There was no answer within ${withinMilliseconds / 1000} seconds.`)
    }
  }
}

/** A DNS lookup cannot be aborted; after the deadline its result is ignored. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([work, promise])
}

interface OpenBody {
  bytes: number | null
  content: string | Readable
}

const opened = async (body: SentBody): Promise<OpenBody> =>
  typeof body === 'string'
    ? { bytes: Buffer.byteLength(body), content: body }
    : { bytes: body.bytes, content: await body.open() }

interface Post {
  url: string
  method: string
  headers: Readonly<Record<string, string>>
  body: OpenBody
  addresses: LookupAddress[]
  signal: AbortSignal
}

function post({
  url,
  method,
  headers,
  body,
  addresses,
  signal,
}: Post): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const lookup: LookupFunction = (_name, { all }, found) => {
    const [first] = addresses
    if (all) found(null, addresses)
    else found(null, first?.address ?? '', first?.family ?? 4)
  }
  const options = {
    method,
    lookup,
    signal,
    headers: { ...headers, ...(body.bytes === null ? {} : { 'content-length': String(body.bytes) }) },
    // A new connection for each request: a reused one could be to an address that is no longer allowed.
    agent: false as const,
  }
  const send = url.startsWith('https:') ? overHttps : overHttp
  const request = send(url, options, (response) => {
    const status = response.statusCode ?? 0
    const pieces: Buffer[] = []
    let bytes = 0
    const end = () => {
      resolve({ status, text: excerptOf(status, Buffer.concat(pieces)) })
      response.destroy()
    }
    response.on('data', (piece: Buffer) => {
      pieces.push(piece.subarray(0, maxBytes - bytes))
      bytes += piece.length
      if (bytes >= maxBytes) end()
    })
    // The status has been received: errors in the body, and the deadline, do not change it.
    fail = end
    response.once('end', end).once('close', end).on('error', end)
  })
  let fail: (error: Error) => void = reject
  request.on('error', (error) => fail(error))
  // An upgrade to another protocol ends without a response and without an error.
  request.once('close', () => fail(new NotReached('The receiver closed the connection without an answer.')))
  if (typeof body.content === 'string') request.end(body.content)
  // A receiver may respond before it has read the whole body.
  else pipeline(body.content, request).catch((error: Error) => fail(error))
  return promise
}

function excerptOf(status: number, bytes: Buffer): string {
  const text = plain(bytes.toString('utf8'))
  return status >= 300 && status < 400 ? `Redirects are not followed. ${text}`.trim() : text
}

/** Without control characters, which a terminal or the database would interpret or reject. */
const plain = (text: string): string =>
  text
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, maxCharacters)

function sentenceOf(error: unknown): string {
  if (error instanceof NotReached) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  const known = sentences[code ?? '']
  return plain(known ?? `The request failed: ${message || code}.`)
}

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused: no server listens there.',
  ECONNRESET: 'The receiver closed the connection without an answer.',
  EHOSTUNREACH: 'There is no way to the address.',
  ENETUNREACH: 'There is no way to the address.',
  HPE_HEADER_OVERFLOW: 'The headers of the answer are too large.',
}
