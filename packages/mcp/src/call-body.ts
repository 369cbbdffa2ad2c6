// The body of a call over HTTP: up to 12 MB that a caller controls. All of it except the document of convert_file is
// small. The document is extracted and decoded, so that the handler of the call only processes a small message. The
// service calls `openBody` in its worker pool.

export interface CallDocument {
  bytes: Uint8Array
  /** Why the argument is not a document. */
  fault?: string
}

export type CallBody = { message: unknown; document?: CallDocument } | { fault: 'not-json' | 'too-large' }

/** Bodies up to this size are opened without the worker pool. */
export const smallBody = 32 * 1024
const longestMessage = 64 * 1024

export function openBody(body: Uint8Array): CallBody {
  // Only a document may be long, which is one string. To parse anything else of this size takes a hundred times as long.
  if (!isShortBesideOneString(body)) return { fault: 'too-large' }
  let message: unknown
  try {
    message = JSON.parse(new TextDecoder().decode(body))
  } catch {
    // JSON.parse() throws for every body that is not JSON.
    return { fault: 'not-json' }
  }
  if (body.length <= smallBody) return { message }
  const document = takeDocument(message)
  if (!isShort(message)) return { fault: 'too-large' }
  return document ? { message, document } : { message }
}

const quote = 0x22
const backslash = 0x5c

function isShortBesideOneString(body: Uint8Array): boolean {
  let [rest, longest] = [0, 0]
  for (let at = 0; at < body.length; ) {
    const found = body.indexOf(quote, at)
    const start = found === -1 ? body.length : found
    const end = endOfString(body, start)
    rest += start - at + Math.min(longest, end - start)
    longest = Math.max(longest, end - start)
    if (rest > longestMessage) return false
    at = end
  }
  return true
}

/** After the closing quote of the string that starts here. */
function endOfString(body: Uint8Array, start: number): number {
  for (let at = start + 1; at < body.length; at += 1) {
    if (body[at] === backslash) at += 1
    else if (body[at] === quote) return at + 1
  }
  return body.length
}

/** A message that is nested too deeply to be written is not short either. */
function isShort(message: unknown): boolean {
  try {
    return JSON.stringify(message).length <= longestMessage
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Replaces the document of convert_file by an empty argument. */
function takeDocument(message: unknown): CallDocument | undefined {
  const { method, params } = (message ?? {}) as {
    method?: unknown
    params?: { arguments?: Record<string, unknown> }
  }
  const args = params?.arguments
  if (method !== 'tools/call' || typeof args !== 'object' || args === null) return undefined
  const { text, base64 } = args
  if (typeof text === 'string') {
    args.text = ''
    return { bytes: new TextEncoder().encode(text) }
  }
  if (typeof base64 !== 'string') return undefined
  args.base64 = ''
  return decodeBase64(base64)
}

/** Standard or URL-safe, with line breaks or without, also as a data URL. */
export function decodeBase64(base64: string): CallDocument {
  const text = base64.replace(/^data:[^,]*,/, '')
  // The decoder skips whitespace.
  if (!/^[A-Za-z0-9+/_\s-]*(?:=\s*){0,2}$/.test(text))
    return { bytes: new Uint8Array(), fault: '`base64` holds characters that are not base64.' }
  return { bytes: Buffer.from(text, 'base64') }
}
