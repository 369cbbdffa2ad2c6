import type { IncomingMessage, Server, ServerResponse } from 'node:http'

// A client that sends `Expect: 100-continue` asks before it sends its body. For uploads the answer is
// given only when the upload is wanted, so that a refused one costs nobody the bytes. Everywhere
// else bodies are tiny, and the answer is yes.

const asking = new WeakSet<IncomingMessage>()

export function answerExpectations(server: Server, isUpload: (request: IncomingMessage) => boolean): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (isUpload(request)) asking.add(request)
    else response.writeContinue()
    server.emit('request', request, response)
  })
}

/** Tells the client to go on, if it asked. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (asking.delete(request)) response.writeContinue()
}
