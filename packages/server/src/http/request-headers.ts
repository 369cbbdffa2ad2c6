import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { at } from '../at.ts'
import { type KilnError, refused } from '../errors.ts'

// Headers that affect decisions may occur only once in a request. With duplicates, Node uses the first value for some
// names and joins the values for others, and a proxy in front may have used the other one.
const decisive = new Set(['host', 'authorization', 'content-type', 'idempotency-key'])

export function findAmbiguousHeader({
  rawHeaders,
  headers,
  httpVersion,
}: IncomingMessage): KilnError | undefined {
  if (headers.host === undefined && httpVersion === '1.1')
    return refused('bad-request', 'The request has no Host header.')
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = at(rawHeaders, index).toLowerCase()
    if (!decisive.has(name)) continue
    if (seen.has(name)) return refused('bad-request', `The request has the header ${name} twice.`)
    seen.add(name)
  }
  return undefined
}

// A client that sends `Expect: 100-continue` asks before it sends its body. For uploads 100 Continue is sent only when
// the upload is accepted, so that a refused body is never sent. All other bodies are small, so it is sent immediately.
// HTTP defines no other expectation; unknown ones are refused.

const asking = new WeakSet<IncomingMessage>()
const unknown = new WeakSet<IncomingMessage>()

export function answerExpectations(server: Server, isUpload: (request: IncomingMessage) => boolean): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Node also emits this event for a list with further expectations.
    if (request.headers.expect?.toLowerCase() !== '100-continue') unknown.add(request)
    else if (isUpload(request)) asking.add(request)
    else response.writeContinue()
    server.emit('request', request, response)
  })
  // By default Node answers this itself, without the error body.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    unknown.add(request)
    server.emit('request', request, response)
  })
}

export const findUnknownExpectation = (request: IncomingMessage): KilnError | undefined =>
  unknown.has(request)
    ? refused('expectation-failed', 'The only expectation that is met here is 100-continue.')
    : undefined

/** Sends 100 Continue, if the client expects it. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (asking.delete(request)) response.writeContinue()
}
