import { connectionError, send, withoutQuery } from './call.ts'
import { type Clock, startWatchdog, type Watchdog } from './clock.ts'
import { errorOfAnswer, FileError, kilnError } from './errors.ts'
import type { Source } from './input.ts'
import type { Connection } from './options.ts'
import { withRetries } from './retries.ts'

// PUT of the bytes to the presigned URL, which needs no key. The body is streamed with a Content-Length. `fetch` cannot do
// both on every runtime (Deno's sends a stream without its length), so the platform's HTTP client is used, unless the
// caller passed a fetch.

export interface Upload {
  url: string
  source: Source
  onBytes?: ((loaded: number) => void) | undefined
}

export function upload(
  connection: Connection,
  clock: Clock,
  { url, source, onBytes }: Upload,
): Promise<void> {
  const attempt = async () => {
    const watchdog = startWatchdog(clock, connection.idleTimeout, () =>
      kilnError('connection', `The upload stalled for ${connection.idleTimeout / 1000} s.`),
    )
    // When the source fails, the connection breaks too; the error of the source is reported.
    let failure: unknown
    const pieces = counted(
      source,
      watchdog,
      (loaded) => onBytes?.(loaded),
      (error) => {
        failure = error
      },
    )
    try {
      const request = { url, bytes: source.bytes, pieces, signal: watchdog.signal }
      await (connection.hasOwnFetch ? putByFetch(connection, request) : putByHttp(request))
    } catch (error) {
      throw failure ?? error
    } finally {
      watchdog.end()
    }
  }
  // A source that can be read only once cannot be sent twice.
  return withRetries(clock, connection.maxRetries, attempt, () => source.replayable)
}

interface Put {
  url: string
  bytes: number
  pieces: AsyncIterable<Uint8Array>
  signal: AbortSignal
}

async function putByHttp({ url, bytes, pieces, signal }: Put): Promise<void> {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  const { Readable } = await import('node:stream')
  const { pipeline } = await import('node:stream/promises')
  signal.throwIfAborted()
  const outgoing = request(url, { method: 'PUT', headers: { 'content-length': bytes }, signal })
  const answered = new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      outgoing.once('error', reject)
      outgoing.once('response', (incoming) => {
        let text = ''
        incoming.setEncoding('utf8')
        incoming.on('data', (piece: string) => {
          if (text.length < 65_536) text += piece
        })
        incoming.once('error', reject)
        incoming.once('end', () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
        )
      })
    },
  )
  // A refusal may arrive during the upload; it is reported instead of the broken pipe.
  pipeline(Readable.from(pieces, { objectMode: false }), outgoing).catch(() => {})
  try {
    const { status, headers, text } = await answered
    if (status >= 200 && status < 300) return
    throw errorOfAnswer({
      status,
      header: (name) => (headers[name] === undefined ? null : String(headers[name])),
      text,
      asked: `PUT ${withoutQuery(url)}`,
    })
  } catch (error) {
    throw connectionError(url, error, signal)
  } finally {
    outgoing.destroy()
  }
}

async function putByFetch(connection: Connection, { url, bytes, pieces, signal }: Put): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(error)
      }
    },
    async cancel() {
      await iterator.return?.()
    },
  })
  const headers = { 'content-length': String(bytes) }
  const init = { method: 'PUT', headers, body, duplex: 'half', signal } as RequestInit & {
    signal: AbortSignal
  }
  const response = await send(connection, url, init)
  await response.body?.cancel()
}

/**
 * Exactly the stated number of bytes, or an error: a file may have changed since it was measured.
 * Errors of the source go to `onFailure`; errors of the reader do not.
 */
async function* counted(
  source: Source,
  watchdog: Watchdog,
  onBytes: (loaded: number) => void,
  onFailure: (error: unknown) => void,
): AsyncIterable<Uint8Array> {
  const iterator = source.open()[Symbol.asyncIterator]()
  let loaded = 0
  const nextPiece = async (): Promise<Uint8Array | null> => {
    try {
      onBytes(loaded)
      const { done, value } = await iterator.next()
      if (done && loaded < source.bytes) throw changed(source, 'fewer')
      if (!done && loaded + value.byteLength > source.bytes) throw changed(source, 'more')
      return done ? null : value
    } catch (error) {
      onFailure(error)
      throw error
    }
  }
  try {
    for (let piece = await nextPiece(); piece !== null; piece = await nextPiece()) {
      yield piece
      loaded += piece.byteLength
      watchdog.feed()
    }
  } finally {
    await iterator.return?.()
  }
}

const changed = ({ name, bytes }: Source, than: 'more' | 'fewer') =>
  new FileError(
    'file',
    `${name ?? 'The input'} has ${than} than the ${bytes} bytes that were declared. Did it change meanwhile?`,
  )
