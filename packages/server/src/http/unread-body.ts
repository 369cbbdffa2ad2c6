import type { IncomingMessage } from 'node:http'

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
