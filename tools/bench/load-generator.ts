import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

// A small HTTP load generator. Requests are serialized before the clock starts, connections stay open between rounds,
// and only the status and the length of a response are parsed. So the client uses little of the machine, and the same
// amount for both sides.

export interface LoadRequest {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface LoadGenerator {
  /**
   * Sends requests for this long, one after the other on each connection; returns the number of responses and the
   * seconds.
   */
  run(seconds: number): Promise<{ answers: number; seconds: number }>
  close(): void
}

export async function openLoadGenerator(
  origin: string,
  requestsOfConnection: readonly (readonly LoadRequest[])[],
): Promise<LoadGenerator> {
  const { hostname, port, host } = new URL(origin)
  const clients = await Promise.all(
    requestsOfConnection.map(async (requests) => {
      const socket = connect(Number(port), hostname).setNoDelay(true)
      await once(socket, 'connect')
      return openClient(
        socket,
        requests.map((request) => toBytes(request, host)),
      )
    }),
  )
  return {
    async run(seconds) {
      const started = performance.now()
      const until = started + seconds * 1000
      const counts = await Promise.all(clients.map((client) => client.send(until)))
      return {
        answers: counts.reduce((sum, count) => sum + count, 0),
        seconds: (performance.now() - started) / 1000,
      }
    },
    close() {
      for (const client of clients) client.close()
    },
  }
}

function openClient(socket: Socket, requests: readonly Buffer[]) {
  let next = 0
  let count = 0
  let until = 0
  let waiting: PromiseWithResolvers<number> | null = null
  let received = Buffer.alloc(0)

  const end = (error?: Error) => {
    if (error) waiting?.reject(error)
    else waiting?.resolve(count)
    waiting = null
  }
  const write = () => {
    socket.write(requests[next % requests.length] as Buffer)
    next += 1
  }
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const answer = readAnswer(received)
    if (!answer) return
    received = received.subarray(answer.length)
    if (answer.status >= 300) return end(new Error(`The server answered ${answer.status}.`))
    count += 1
    if (performance.now() < until) write()
    else end()
  })
  socket.on('error', end)
  socket.on('close', () => end(new Error('The server closed the connection.')))

  return {
    send(time: number): Promise<number> {
      waiting = Promise.withResolvers()
      count = 0
      until = time
      write()
      return waiting.promise
    },
    close: () => socket.removeAllListeners('close').destroy(),
  }
}

/** Status and total length of the response at the start of these bytes; null while it is incomplete. */
function readAnswer(bytes: Buffer): { status: number; length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = bytes.toString('latin1', 0, headEnd)
  const bodyLength = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (bodyLength === undefined) throw new Error(`An answer without a length:\n${head}`)
  const length = headEnd + 4 + Number(bodyLength)
  return bytes.length < length ? null : { status: Number(head.slice(9, 12)), length }
}

function toBytes({ method, path, headers = {}, body = '' }: LoadRequest, host: string): Buffer {
  const all = { host, ...headers, ...(body ? { 'content-length': String(Buffer.byteLength(body)) } : {}) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}
