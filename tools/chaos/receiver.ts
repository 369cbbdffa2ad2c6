import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyWebhook, type WebhookEvent } from '@kiln/client'
import { createRandom } from '@kiln/test-support/random.ts'

// A realistic receiver of events: it is slow at times, and refuses or drops an event when it sees it for the first
// time. It has answered every accepted event with 2xx.

export interface Receiver {
  url: string
  /** By job; one may be taken several times. */
  taken: ReadonlyMap<string, WebhookEvent[]>
  refused(): number
  /** Events are signed for one of these. */
  knowSecret(secret: string): void
  stop(): Promise<void>
}

export async function startReceiver(
  seed: number,
  violation: (what: string) => void,
  address: string,
): Promise<Receiver> {
  const random = createRandom(seed)
  const secrets: string[] = []
  const taken = new Map<string, WebhookEvent[]>()
  const seen = new Set<string>()
  let refused = 0
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => null)
    // The sender was killed during the request.
    if (body === null) return
    const event = await verifyWebhook(body, request.headers, secrets).catch((error: Error) => error)
    if (event instanceof Error) {
      violation(`an event was not signed as it should be: ${event.message}`)
      return void response.writeHead(400).end()
    }
    // Only an event that is seen for the first time may be refused.
    const luck = seen.has(event.id) ? 1 : random.next()
    seen.add(event.id)
    if (luck < 0.3) {
      refused++
      return luck < 0.15 ? void response.writeHead(500).end() : void response.destroy()
    }
    if (luck < 0.5) await sleep(random.between(500, 2000))
    taken.set(event.data.jobId, [...(taken.get(event.data.jobId) ?? []), event])
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  return {
    url: `http://${address}:${(server.address() as AddressInfo).port}/`,
    taken,
    refused: () => refused,
    knowSecret: (secret) => void secrets.push(secret),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
