import { Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http'
import { Agent as HttpsAgent, request as overHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { unavailable } from '../errors.ts'
import { isLocalDisk } from './refused-download.ts'

// HTTP requests of a worker: to the API for links, and to the store with them. Connections are kept alive. All requests
// are idempotent, so one whose connection fails before the response is retried; a peer that does not respond is an
// outage.

export interface Answer {
  status: number
  body: IncomingMessage
}

export interface Sent {
  headers?: Readonly<Record<string, string>>
  content?: string | { bytes: number; open: () => Readable }
}

export interface Exchange {
  send(method: 'GET' | 'PUT' | 'DELETE' | 'POST', url: string, sent?: Sent): Promise<Answer>
  close(): void
}

const connectMilliseconds = 1200
const silentMilliseconds = 15_000
const tries = 3
const pauseMilliseconds = 100

export function openExchange(): Exchange {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }

  const sendOnce = (method: string, url: string, { headers = {}, content = '' }: Sent): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const bytes = typeof content === 'string' ? Buffer.byteLength(content) : content.bytes
    const length = method === 'GET' || method === 'DELETE' ? {} : { 'content-length': String(bytes) }
    const options = { method, headers: { ...headers, ...length }, timeout: silentMilliseconds }
    const request = url.startsWith('https:')
      ? overHttps(url, { ...options, agent: agents.https })
      : overHttp(url, { ...options, agent: agents.http })
    request.once('response', (body) => resolve({ status: body.statusCode ?? 0, body }))
    request.on('timeout', () => request.destroy(new Error('The other side is silent.')))
    request.on('error', reject)
    request.once('socket', (socket) => {
      if (!socket.connecting) return
      const timer = setTimeout(() => request.destroy(new Error('No connection.')), connectMilliseconds)
      socket.once('connect', () => clearTimeout(timer))
      request.once('close', () => clearTimeout(timer))
    })
    if (typeof content === 'string') request.end(content)
    else pipeline(content.open(), request).catch(reject)
    return promise
  }

  return {
    async send(method, url, sent = {}) {
      for (let left = tries - 1; ; left--) {
        try {
          const answer = await sendOnce(method, url, sent)
          if (answer.status < 500 || left === 0) return answer
          answer.body.resume()
        } catch (error) {
          if (left === 0 || isLocalDisk(error)) throw brokenExchange(error)
        }
        await delay(pauseMilliseconds)
      }
    },
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** An error of a transfer is caused by the local disk, or is an outage. */
export const brokenExchange = (error: unknown): unknown =>
  isLocalDisk(error) ? error : unavailable('The storage or the API cannot be reached just now.', error)
