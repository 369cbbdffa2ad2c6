import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** One connection, one call after the other, with as little around it as possible. */
export function openKeepAliveClient(base: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    async call(method: 'GET' | 'POST', path: string, key: string, body?: object): Promise<string> {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      }
      const call = request(base + path, { method, agent, headers })
      call.end(body && JSON.stringify(body))
      const [answer] = (await once(call, 'response')) as [IncomingMessage]
      const content = await text(answer)
      if ((answer.statusCode ?? 500) >= 300)
        throw new Error(`${method} ${path}: ${answer.statusCode} ${content}`)
      return content
    },
    close: () => agent.destroy(),
  }
}
