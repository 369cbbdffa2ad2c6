import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { HandleMcp } from './http.ts'

// The tool server on its own port, for hosts that use HTTP. Every request needs a bearer key: the key of any account
// where a call can only access the account's data at the service, and one configured key where it can access files of
// this machine. A page in a browser must not reach a server on its user's machine: on a loopback address, only requests
// to that address are served, and none with an Origin.

export interface ServeOptions {
  host: string
  port: number
  handle: HandleMcp
  /** The only key that is accepted; any, if undefined. */
  onlyKey?: string | undefined
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/i

export async function serveHttp({ host, port, handle, onlyKey }: ServeOptions): Promise<Server> {
  const isLocal = loopback.test(host) || host === '::1'
  const server = createServer((incoming, outgoing) => {
    const problem = refusalOf(incoming, isLocal)
    if (problem) return answer(outgoing, problem.status, problem.error, problem.code)
    const key = /^Bearer +(\S+) *$/i.exec(incoming.headers.authorization ?? '')?.[1]
    if (key === undefined) {
      outgoing.setHeader('www-authenticate', 'Bearer realm="kiln"')
      return answer(outgoing, 401, 'Send the API key: Authorization: Bearer <API_KEY>.', 'unauthenticated')
    }
    if (onlyKey !== undefined && !isSameKey(key, onlyKey))
      return answer(
        outgoing,
        403,
        'This tool server reads and writes files, so it accepts only the key that it was started with (KILN_API_KEY).',
        'forbidden',
      )
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

const hashOf = (text: string) => createHash('sha256').update(text).digest()

/** In constant time. */
const isSameKey = (given: string, expected: string): boolean =>
  timingSafeEqual(hashOf(given), hashOf(expected))

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
