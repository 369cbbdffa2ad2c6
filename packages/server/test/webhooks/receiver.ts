import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

// A receiver of events on this machine, that behaves as a test wants.

export interface Received {
  headers: IncomingMessage['headers']
  body: string
}

export interface Receiver {
  url: string
  port: number
  received: Received[]
  /** Requests that were open at the same time, at the most. */
  maxOpen(): number
  /** Connections that were closed, by either side. */
  closed(): number
  close(): Promise<void>
}

export type Conduct = (response: ServerResponse, received: Received) => void

const takes: Conduct = (response) => response.writeHead(204).end()

export async function startReceiver(conduct: Conduct = takes): Promise<Receiver> {
  const received: Received[] = []
  let [open, maxOpen, closed] = [0, 0, 0]
  const server = createServer(async (request, response) => {
    open += 1
    maxOpen = Math.max(maxOpen, open)
    response.once('close', () => {
      open -= 1
    })
    let body = ''
    for await (const piece of request) body += piece
    // The sender gave up before all of it was here: it comes again.
    if (!request.complete) return
    const each = { headers: request.headers, body }
    received.push(each)
    conduct(response, each)
  })
  server.on('connection', (socket) => socket.once('close', () => closed++))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  return {
    url: `http://127.0.0.1:${port}/events`,
    port,
    received,
    maxOpen: () => maxOpen,
    closed: () => closed,
    close,
  }
}
