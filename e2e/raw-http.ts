import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'

// Speaks HTTP by hand, for what fetch refuses to send: missing and wrong lengths, cut-off bodies,
// broken request lines, oversized headers.

export interface RawAnswer {
  status: number
  headers: Headers
  text: string
  body: unknown
  /** Interim answers that came first, such as 100. */
  interim: number[]
}

export interface RawConnection {
  write(data: string | Uint8Array): Promise<void>
  /** The next answer on this connection, or null when it closed without one. */
  answer(withinMs?: number): Promise<RawAnswer | null>
  /** Whether the other side closes within the time. */
  closes(withinMs: number): Promise<boolean>
  destroy(): void
}

const parseChunked = (data: Buffer): string | null => {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = data.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(data.toString('latin1', at, lineEnd), 16)
    if (size === 0) return Buffer.concat(parts).toString()
    if (data.length < lineEnd + 2 + size) return null
    parts.push(data.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}

/** Parses one response from the bytes read so far; null when it is incomplete. */
const parse = (data: Buffer, closed: boolean): RawAnswer | null => {
  const headEnd = data.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const [statusLine = '', ...lines] = data.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const rest = data.subarray(headEnd + 4)
  if (status < 200) {
    const final = parse(rest, closed)
    return final && { ...final, interim: [status, ...final.interim] }
  }
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  const length = headers.get('content-length')
  const chunked = headers.get('transfer-encoding') === 'chunked'
  let text: string | null = null
  if (chunked) text = parseChunked(rest)
  else if (length !== null)
    text = rest.length >= Number(length) ? rest.toString('utf8', 0, Number(length)) : null
  else if (status === 204 || closed) text = rest.toString()
  if (text === null) return null
  const json = headers.get('content-type')?.startsWith('application/json') && text !== ''
  return { status, headers, text, body: json ? (JSON.parse(text) as unknown) : undefined, interim: [] }
}

export const openRaw = (url: string): Promise<RawConnection> =>
  new Promise((resolve, reject) => {
    const { protocol, hostname, port } = new URL(url)
    const secure = protocol === 'https:'
    const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (secure ? 443 : 80)) }
    const socket: Socket = secure
      ? connectSecure({ ...address, servername: hostname })
      : connectPlain({ ...address, allowHalfOpen: true })
    let received = Buffer.alloc(0)
    let closed = false
    let wake = () => {}
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      wake()
    })
    const close = () => {
      closed = true
      wake()
    }
    socket.on('end', close)
    socket.on('close', close)
    socket.on('error', close)

    const until = async <T>(look: () => T | null, withinMs: number): Promise<T | null> => {
      const deadline = Date.now() + withinMs
      for (;;) {
        const seen = look()
        if (seen !== null || Date.now() >= deadline) return seen
        await new Promise<void>((next) => {
          const timer = setTimeout(next, Math.max(1, deadline - Date.now()))
          wake = () => {
            clearTimeout(timer)
            next()
          }
        })
      }
    }
    const connection: RawConnection = {
      write: (data) =>
        new Promise((written) => {
          // A refused connection may be closed while we still write: the response counts, not the write.
          socket.write(data, () => written())
        }),
      answer: async (withinMs = 10_000) => {
        const found = await until(() => {
          const answer = parse(received, closed)
          return answer ?? (closed ? 'nothing' : null)
        }, withinMs)
        return found === 'nothing' ? null : found
      },
      closes: async (withinMs) => (await until(() => (closed ? true : null), withinMs)) === true,
      destroy: () => socket.destroy(),
    }
    socket.once('connect', () => resolve(connection))
    socket.once('error', reject)
  })

/** The head of a request, as it goes over the wire. */
export const head = (method: string, url: string, headers: Record<string, string | number> = {}): string => {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

/** Sends bytes on a new connection and returns the first response. */
export const exchange = async (url: string, ...parts: (string | Uint8Array)[]): Promise<RawAnswer | null> => {
  const connection = await openRaw(url)
  try {
    for (const part of parts) await connection.write(part)
    return await connection.answer()
  } finally {
    connection.destroy()
  }
}
