import type { IncomingMessage } from 'node:http'

const lingerMilliseconds = 1000

/**
 * A refused request may still be sending, and its body may be long. What comes is thrown away for a moment, so
 * that the client can read the answer; then the connection is cut.
 */
export function cutOffUnreadBody(request: IncomingMessage): void {
  if (request.complete) return
  request.resume()
  setTimeout(() => {
    if (!request.complete) request.socket.destroy()
  }, lingerMilliseconds).unref()
}
