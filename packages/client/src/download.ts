import { send } from './call.ts'
import { type Clock, startWatchdog } from './clock.ts'
import { type KilnError, kilnError } from './errors.ts'
import type { Connection } from './options.ts'
import { isWorthRetrying, pauseBefore } from './retries.ts'

// GET of an output, in chunks. After a lost connection the download resumes with a range request; if the store answers
// it with the whole file, the bytes that were received before are skipped.

interface Opened {
  response: Response
  watchdog: ReturnType<typeof startWatchdog>
}

export async function openDownload(connection: Connection, clock: Clock, url: string) {
  let tries = 0
  const pauseAfter = async (error: unknown) => {
    clock.check()
    tries++
    if (!isWorthRetrying(error) || tries > connection.maxRetries) throw error
    await clock.sleep(pauseBefore(tries, (error as KilnError).retryAfter))
  }

  const open = async (from: number, tag: string | null): Promise<Opened> => {
    for (;;) {
      const watchdog = startWatchdog(clock, connection.idleTimeout, () =>
        kilnError('connection', `The download stalled for ${connection.idleTimeout / 1000} s.`),
      )
      const headers: Record<string, string> = { 'accept-encoding': 'identity' }
      if (from > 0) headers.range = `bytes=${from}-`
      if (from > 0 && tag !== null) headers['if-range'] = tag
      try {
        const response = await send(connection, url, { headers, signal: watchdog.signal })
        // From here on the reader applies backpressure.
        watchdog.rest()
        return { response, watchdog }
      } catch (error) {
        watchdog.end()
        await pauseAfter(error)
      }
    }
  }

  let opened = await open(0, null)
  const { headers } = opened.response
  const bytes = lengthOf(headers)
  const tag = strongTag(headers)

  return {
    /** Bytes of the whole output, if the store reports them. */
    bytes,
    contentType: headers.get('content-type'),
    /** The file name that the service gave the output. */
    fileName: /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? null,
    /** Closes the connection, whether or not anything was read. */
    async close(): Promise<void> {
      opened.watchdog.end()
      // The download is over; an error of its connection no longer matters.
      if (!opened.response.body?.locked) await opened.response.body?.cancel().catch(() => {})
    },
    async *pieces(): AsyncGenerator<Uint8Array, void> {
      let loaded = 0
      for (;;) {
        try {
          const skip = opened.response.status === 206 ? 0 : loaded
          for await (const piece of bodyOf(opened, skip)) {
            yield piece
            loaded += piece.byteLength
            tries = 0
          }
          if (bytes === null || loaded === bytes) return
          throw cutOff(loaded, bytes)
        } catch (error) {
          await pauseAfter(clock.explain(error))
        }
        opened = await open(loaded, tag)
      }
    },
  }
}

const cutOff = (loaded: number, bytes: number) =>
  kilnError('connection', `The download broke off after ${loaded} of ${bytes} bytes.`)

async function* bodyOf({ response, watchdog }: Opened, skip: number): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader()
  let left = skip
  try {
    while (reader) {
      watchdog.feed()
      const { done, value } = await reader.read().catch((error: unknown) => {
        if (watchdog.signal.aborted) throw watchdog.signal.reason
        throw kilnError('connection', 'The download broke off.', { cause: error })
      })
      watchdog.rest()
      if (done) return
      const fresh = value.subarray(Math.min(left, value.byteLength))
      left -= value.byteLength - fresh.byteLength
      if (fresh.byteLength > 0) yield fresh
    }
  } finally {
    watchdog.end()
    // As above.
    await reader?.cancel().catch(() => {})
  }
}

function lengthOf(headers: Headers): number | null {
  const length = headers.get('content-length')
  // The Content-Length of a compressed response counts compressed bytes.
  return length !== null && !headers.get('content-encoding') ? Number(length) : null
}

/** Only a strong tag proves that a range belongs to the same bytes. */
function strongTag(headers: Headers): string | null {
  const tag = headers.get('etag')
  return tag?.startsWith('"') ? tag : null
}
