import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { HandleMcp } from './http.ts'

// The tool server on a port of its own, for hosts that speak HTTP. Every request needs a bearer key. A
// page in a browser must not reach a server on its user's machine: with a loopback address only
// requests to that address are answered, and none that a page sent.

export interface ServeOptions {
  host: string
  port: number
  handle: HandleMcp
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/i

export async function serveHttp({ host, port, handle }: ServeOptions): Promise<Server> {
  const isLocal = loopback.test(host) || host === '::1'
  const server = createServer((incoming, outgoing) => {
    const problem = refusalOf(incoming, isLocal)
    if (problem) return answer(outgoing, problem.status, problem.error, problem.code)
    const key = /^Bearer +(\S+) *$/i.exec(incoming.headers.authorization ?? '')?.[1]
    if (key === undefined) {
      outgoing.setHeader('www-authenticate', 'Bearer realm="kiln"')
      return answer(outgoing, 401, 'Send the API key: Authorization: Bearer <API_KEY>.', 'unauthenticated')
    }
    handle(incoming, outgoing, key).catch((error: unknown) => {
      console.error(error)
      if (outgoing.headersSent) outgoing.destroy()
      else answer(outgoing, 500, 'Something went wrong in the tool server.', 'internal')
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return server
}

function refusalOf({ headers, url }: IncomingMessage, isLocal: boolean) {
  const name = headers.host?.replace(/:\d+$/, '') ?? ''
  if (isLocal && (headers.origin !== undefined || !loopback.test(name))) {
    return { status: 403, error: 'Requests from pages and to other names are refused.', code: 'forbidden' }
  }
  if (url?.split('?', 1)[0] !== '/mcp') {
    return { status: 404, error: 'The tool server is at /mcp.', code: 'not-found' }
  }
  return null
}

function answer(outgoing: ServerResponse, status: number, error: string, code: string): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error, code }))
}
