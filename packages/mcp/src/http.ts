import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Fetch, Kiln } from '@kiln/client'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { createRemoteServer } from './remote-tools.ts'
import type { ToolParts } from './tools.ts'

// Streamable HTTP without sessions: every request carries the account's bearer key and is served by a
// tool server of its own, so that it does not matter which process gets it. When the host hangs up,
// whatever the request was doing ends.

export interface McpHttpOptions {
  /** Base address of the service. */
  baseUrl: string
  /** How the service is reached, if not over the platform's fetch. */
  fetch?: Fetch | undefined
  answerWithin?: number | undefined
  /** The tools of another kind of server, for a host on the same machine. */
  createServer?: ((parts: ToolParts) => McpServer) | undefined
}

export type HandleMcp = (incoming: IncomingMessage, outgoing: ServerResponse, key: string) => Promise<void>

export interface McpHttp {
  handle: HandleMcp
  /** The server is about to stop: calls that wait are answered now. */
  hurry(): void
}

export const defaultAnswerWithin = 45_000

// A file of 8 MB as base64, and room for the rest of the call.
const longestBody = 12 * 1024 * 1024

export function createMcpHttp(options: McpHttpOptions): McpHttp {
  const { baseUrl, fetch, answerWithin = defaultAnswerWithin, createServer = createRemoteServer } = options
  const stopping = new AbortController()
  const handler = createMcpHandler(
    ({ authInfo, requestInfo }) =>
      createServer({
        kiln: new Kiln({ baseUrl, fetch, apiKey: authInfo?.token ?? null, maxRetries: 2 }),
        answerWithin,
        owner: authInfo?.token,
        gone: requestInfo?.signal,
        hurry: stopping.signal,
      }),
    { maxRequestBodySize: longestBody },
  )
  return {
    async handle(incoming, outgoing, key) {
      const gone = new AbortController()
      outgoing.once('close', () => gone.abort())
      const request = toRequest(incoming, gone.signal)
      const authInfo = { token: key, clientId: 'account', scopes: [] }
      const response = await handler.fetch(request, { authInfo }).catch((error: unknown) => {
        // A host that hung up is no failure of ours.
        if (!gone.signal.aborted) throw error
        return null
      })
      if (response === null) return
      for (const [name, value] of response.headers) outgoing.setHeader(name, value)
      outgoing.writeHead(response.status)
      if (response.body === null) return void outgoing.end()
      await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => {})
    },
    hurry: () => stopping.abort(),
  }
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers } = incoming
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(':') ? [] : [[name, [value].flat().join(', ')]],
  )
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
    method,
    headers: pairs,
    signal,
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {}),
  } as RequestInit)
}
