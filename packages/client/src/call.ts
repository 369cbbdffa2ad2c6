import { type Clock, startWatchdog } from './clock.ts'
import { errorOfAnswer, KilnError, kilnError } from './errors.ts'
import type { Connection } from './options.ts'
import { withRetries } from './retries.ts'
import { version } from './version.ts'

// One JSON operation of the service: the key, the retries, the error body.

export interface Call {
  method?: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: unknown
  headers?: Record<string, string>
  /** A public operation: sent without a key. */
  isPublic?: boolean
  /** Milliseconds that the service may hold its answer on purpose. */
  heldFor?: number
}

export interface Answer<T> {
  body: T
  status: number
  headers: Headers
}

// Well above any response of the service: an endless response of another server must not exhaust the memory.
const longestText = 4 * 1024 * 1024

export function call<T>(connection: Connection, clock: Clock, request: Call): Promise<Answer<T>> {
  const url = connection.baseUrl + request.path
  const init = {
    method: request.method ?? 'GET',
    headers: {
      accept: 'application/json',
      'user-agent': `kiln-client/${version}`,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(request.isPublic ? {} : { authorization: `Bearer ${requireKey(connection)}` }),
      ...request.headers,
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  }
  return withRetries(clock, connection.maxRetries, async () => {
    const limit = connection.requestTimeout + (request.heldFor ?? 0)
    const watchdog = startWatchdog(clock, limit, () =>
      kilnError('connection', `${new URL(url).origin} gave no answer within ${limit / 1000} s.`),
    )
    try {
      const response = await send(connection, url, { ...init, signal: watchdog.signal })
      const text = await readText(response, url)
      const body = response.status === 204 ? {} : parseObject(text)
      if (body === undefined) {
        throw kilnError(
          'unexpected-answer',
          `${url} answered ${response.status} with something that is not JSON. Is ${connection.baseUrl} the base address of a Kiln service?`,
          { status: response.status },
        )
      }
      return { body: body as T, status: response.status, headers: response.headers }
    } finally {
      watchdog.end()
    }
  })
}

function requireKey({ apiKey }: Connection): string {
  if (apiKey !== null) return apiKey
  throw kilnError(
    'unauthenticated',
    'This call needs an API key: pass `apiKey`, or set the environment variable KILN_API_KEY.',
  )
}

/** A fetch whose failures are KilnErrors. Answers outside of 2xx are failures. */
export async function send(
  connection: Connection,
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  let response: Response
  try {
    response = await connection.fetch(url, init)
  } catch (error) {
    throw connectionError(url, error, init.signal)
  }
  if (response.ok) return response
  // The status alone is an error to report, without the text of a response that breaks off.
  const text = await readText(response, url).catch(() => '')
  throw errorOfAnswer({
    status: response.status,
    header: (name) => response.headers.get(name),
    text,
    asked: `${init.method ?? 'GET'} ${withoutQuery(url)}`,
  })
}

/** Why there was no response. The reason of a timeout or abort is more specific than the platform's error. */
export function connectionError(url: string, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof KilnError) return error
  return kilnError('connection', `${new URL(url).origin} cannot be reached: ${rootReason(error)}.`, {
    cause: error,
  })
}

/** fetch says only "fetch failed"; the reason is in the chain of causes. */
function rootReason(error: unknown): string {
  let deepest = error
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause
  if (!(deepest instanceof Error)) return String(deepest)
  const { code } = deepest as { code?: unknown }
  return deepest.message || (typeof code === 'string' ? code : deepest.name)
}

async function readText(response: Response, url: string): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      text += decoder.decode(value, { stream: true })
      if (text.length > longestText) break
    }
  } catch (error) {
    throw kilnError('connection', `The answer of ${new URL(url).origin} was cut off.`, { cause: error })
  }
  await reader.cancel()
  return text
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // Not JSON.
    return undefined
  }
}

/** Signatures of links stay out of messages. */
export const withoutQuery = (url: string): string => url.split('?', 1)[0] as string
