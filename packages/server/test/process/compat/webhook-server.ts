import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

// Receives the webhooks of the scenarios: files at /webhook, failures at /webhook/error, events at /webhook/events. The
// scenarios do not distinguish files from failures by the path.

export interface WebhookServer {
  port: number
  /** The first request to the path. */
  received(path: string): Promise<{ headers: Headers; body: Buffer }>
  close(): void
}

export async function startWebhookServer(): Promise<WebhookServer> {
  const requests = new Map<string, PromiseWithResolvers<{ headers: Headers; body: Buffer }>>()
  const at = (path: string) => {
    const found = requests.get(path) ?? Promise.withResolvers<{ headers: Headers; body: Buffer }>()
    requests.set(path, found)
    return found
  }
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    response.end()
    at((request.url ?? '').replace('/error', '')).resolve({ headers, body })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    received: (path) => at(path).promise,
    close: () => void server.close(),
  }
}
