import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Fetch, Kiln } from '@kiln/client'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { type CallDocument, smallBody } from './call-body.ts'
import { inThisThread, type LargeInput } from './large-input.ts'
import { createRemoteServer } from './remote-tools.ts'
import type { ToolParts } from './tools.ts'

// Streamable HTTP without sessions: every request has the account's bearer key and its own tool server, so that any
// process can serve it. When the host closes the connection, the work of the request is cancelled.

export interface McpHttpOptions {
  /** Base address of the service. */
  baseUrl: string
  /** How the service is reached, if not over the platform's fetch. */
  fetch?: Fetch | undefined
  answerWithin?: number | undefined
  /** The tools of another kind of server, for a host on the same machine. */
  createServer?: ((parts: ToolParts) => McpServer) | undefined
}

export const defaultAnswerWithin = 45_000

// A file of 8 MB as base64, and room for the other fields of the call.
const longestBody = 12 * 1024 * 1024

export function createMcpHttp(options: McpHttpOptions) {
  const { baseUrl, fetch, answerWithin = defaultAnswerWithin, createServer = createRemoteServer } = options
  const stopping = new AbortController()
  const handler = createMcpHandler(({ authInfo, requestInfo }) => {
    const { largeInput, document } = (authInfo?.extra ?? {}) as Partial<CallExtra>
    return createServer({
      kiln: new Kiln({ baseUrl, fetch, apiKey: authInfo?.token ?? null, maxRetries: 2 }),
      answerWithin,
      largeInput: largeInput ?? inThisThread,
      document,
      owner: authInfo?.token,
      gone: requestInfo?.signal,
      hurry: stopping.signal,
    })
  })
  return {
    /** Answers a call of the account with this key. */
    async handle(
      incoming: IncomingMessage,
      outgoing: ServerResponse,
      key: string,
      largeInput: LargeInput = inThisThread,
    ): Promise<void> {
      const gone = new AbortController()
      outgoing.once('close', () => gone.abort())
      const response = await respond(incoming, key, largeInput, gone.signal).catch((error: unknown) => {
        // A host that closed the connection is no failure of ours.
        if (!gone.signal.aborted) throw error
        return null
      })
      if (response === null) return
      for (const [name, value] of response.headers) outgoing.setHeader(name, value)
      outgoing.writeHead(response.status)
      if (response.body === null) return void outgoing.end()
      // It fails when the host closes the connection, and there is no one left to answer.
      await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => {})
    },
    /** The server is about to stop: calls that wait are answered now. */
    hurry: () => stopping.abort(),
  }

  async function respond(
    incoming: IncomingMessage,
    key: string,
    largeInput: LargeInput,
    signal: AbortSignal,
  ): Promise<Response> {
    const { method = 'GET' } = incoming
    const authInfo = { token: key, clientId: 'account', scopes: [] }
    const request = toRequest(incoming, signal)
    if (method !== 'POST') return handler.fetch(request, { authInfo })
    const bytes = await readBody(incoming)
    if (bytes === null) return refusal(413, invalidRequest, `A call has at most ${longestBody} bytes.`)
    const body = await (bytes.length <= smallBody ? inThisThread : largeInput).openBody(bytes, signal)
    if (body === null || ('fault' in body && body.fault === 'too-large'))
      return refusal(400, invalidRequest, 'Only `text` and `base64` of convert_file may be this long.')
    if ('fault' in body) return refusal(400, parseError, 'Parse error: Invalid JSON')
    const extra: CallExtra = { largeInput, document: body.document }
    return handler.fetch(request, {
      authInfo: { ...authInfo, extra: { ...extra } },
      parsedBody: body.message,
    })
  }
}

export type McpHttp = ReturnType<typeof createMcpHttp>
export type HandleMcp = McpHttp['handle']

interface CallExtra {
  largeInput: LargeInput
  document: CallDocument | undefined
}

// Codes of JSON-RPC.
const parseError = -32700
const invalidRequest = -32600

const refusal = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })

/** Null for a body that is too long. */
async function readBody(incoming: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longestBody) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Without the body, which is read before. */
function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers } = incoming
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(':') ? [] : [[name, [value].flat().join(', ')]],
  )
  const address = new URL(url, `http://${headers.host ?? 'localhost'}`)
  return new Request(address, { method, headers: pairs, signal })
}
