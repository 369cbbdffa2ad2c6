import { type IncomingMessage, request } from 'node:http'
import type { TestService } from './service.ts'

// Calls to the agent tools whose body never arrives as a whole.

let calls = 0
/** Starts a call and sends the beginning of its body. `end` resolves when the server has seen that it was cut. */
export function beginCall(service: TestService, key: string, bytes: number) {
  const id = `call-${calls++}`
  const isSeen = new Promise<void>((resolve) => {
    const onRequest = (received: IncomingMessage) => {
      if (received.headers['x-call'] !== id) return
      service.server.off('request', onRequest)
      received.once('close', resolve)
    }
    service.server.on('request', onRequest)
  })
  const call = request(`${service.base}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': bytes,
      'x-call': id,
    },
  })
  call.on('error', () => {})
  const status = new Promise<number>((resolve) => {
    call.on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    call.on('close', () => resolve(0))
  })
  call.write('{')
  const end = () => {
    call.destroy()
    return isSeen
  }
  return { status, end }
}

/** The status, or the other value after two seconds: enough for earlier calls to arrive, also on a busy machine. */
export const firstOf = <Value>(status: Promise<number>, otherwise: Value) =>
  Promise.race([status, new Promise<Value>((resolve) => setTimeout(resolve, 2000, otherwise))])
