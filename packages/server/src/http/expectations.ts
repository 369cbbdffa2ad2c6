import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type KilnError, refused } from '../errors.ts'

// A client that sends `Expect: 100-continue` asks before it sends its body. For uploads the answer is
// given only when the upload is wanted, so that the body of a refused one is never sent. Everywhere
// else bodies are tiny, and the answer is yes. HTTP knows no other expectation: it is refused.

const asking = new WeakSet<IncomingMessage>()
const unknown = new WeakSet<IncomingMessage>()

export function answerExpectations(server: Server, isUpload: (request: IncomingMessage) => boolean): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Node also calls this for a list that holds more than the one word.
    if (request.headers.expect?.toLowerCase() !== '100-continue') unknown.add(request)
    else if (isUpload(request)) asking.add(request)
    else response.writeContinue()
    server.emit('request', request, response)
  })
  // Left alone, Node answers this itself, without the error body.
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
