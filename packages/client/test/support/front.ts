import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { origin } from '@kiln/test-support/client-service.ts'

// A line to the real service that misbehaves as a test wants: it loses answers, answers in the
// service's stead, breaks off downloads, drops headers. Links in the answers lead through it as well.

export type Conduct =
  | 'pass'
  /** The request reaches the service; its answer does not come back. */
  | 'lose-answer'
  /** The line breaks after so many bytes of the answer's body. */
  | { breakAfter: number }
  /** Answered without the service. */
  | { status: number; headers?: Record<string, string>; body?: string }
  | ((request: IncomingMessage, response: ServerResponse) => void)

export interface Front {
  origin: string
  baseUrl: string
  /** Method, path and some headers of every request so far. */
  seen: { method: string; path: string; headers: IncomingMessage['headers']; at: number }[]
  [Symbol.asyncDispose](): Promise<void>
}

export interface FrontOptions {
  /** Decides by the request and by how often its path was asked for before. */
  conduct?: (request: { method: string; path: string; times: number }) => Conduct
  dropHeaders?: string[]
}

export async function startFront({ conduct, dropHeaders = [] }: FrontOptions): Promise<Front> {
  const front: Front = {
    origin: '',
    baseUrl: '',
    seen: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    const path = url.split('?', 1)[0] as string
    const times = front.seen.filter((each) => each.path === path && each.method === method).length
    front.seen.push({ method, path, headers, at: Date.now() })
    const decided = conduct?.({ method, path, times }) ?? 'pass'
    if (typeof decided === 'function') return decided(incoming, outgoing)
    if (typeof decided === 'object' && 'status' in decided) {
      incoming.resume()
      outgoing.writeHead(decided.status, decided.headers).end(decided.body)
      return
    }
    const passed = Object.entries(headers).filter(([name]) => !dropHeaders.includes(name))
    const onward = request(origin + url, { method, headers: Object.fromEntries(passed) }, (answer) => {
      if (decided === 'lose-answer') {
        answer.resume()
        answer.once('end', () => outgoing.destroy())
        return
      }
      pass(answer, outgoing, decided === 'pass' ? Number.POSITIVE_INFINITY : decided.breakAfter)
    })
    onward.once('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })

  function pass(answer: IncomingMessage, outgoing: ServerResponse, breakAfter: number) {
    const isJson = answer.headers['content-type']?.startsWith('application/json')
    const { 'content-length': _length, ...headers } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, isJson ? headers : answer.headers)
    if (isJson) {
      let text = ''
      answer.on('data', (piece) => {
        text += piece
      })
      answer.once('end', () => outgoing.end(text.replaceAll(origin, front.origin)))
      return
    }
    let passed = 0
    answer.on('data', (piece: Buffer) => {
      const part = piece.subarray(0, breakAfter - passed)
      passed += part.length
      outgoing.write(part, () => {
        if (passed >= breakAfter) outgoing.destroy()
      })
    })
    answer.once('end', () => outgoing.end())
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  front.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  front.baseUrl = `${front.origin}/api`
  return front
}
