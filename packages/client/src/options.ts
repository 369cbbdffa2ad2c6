import { KilnError } from './errors.ts'

export type Fetch = (input: string, init: RequestInit) => Promise<Response>

export interface KilnOptions {
  /**
   * Base address of the service, path prefix included: `http://localhost:8080/api`.
   * Defaults to the environment variable KILN_URL, then to that address.
   */
  baseUrl?: string | undefined
  /** API key; else the environment variable KILN_API_KEY. `null` for `formats()` alone, which needs none. */
  apiKey?: string | null | undefined
  /** Milliseconds that a single request may take to be answered. Default: 30 s. */
  requestTimeout?: number | undefined
  /** Milliseconds without a byte moved after which an upload or download is tried again. Default: 60 s. */
  idleTimeout?: number | undefined
  /** How often a request is tried again before its error is thrown. Default: 5. */
  maxRetries?: number | undefined
  /**
   * Used in place of the platform's `fetch`, for every request. It must send the Content-Length that it
   * is given with a streamed body.
   */
  fetch?: Fetch | undefined
}

/** The settings of every request. */
export interface Connection {
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly requestTimeout: number
  readonly idleTimeout: number
  readonly maxRetries: number
  readonly fetch: Fetch
  /** The caller gave its own fetch; then nothing goes past it. */
  readonly hasOwnFetch: boolean
}

export const defaultBaseUrl = 'http://localhost:8080/api'

export function readOptions(options: KilnOptions): Connection {
  const apiKey = options.apiKey === undefined ? environment('KILN_API_KEY') : options.apiKey
  if (apiKey === undefined) {
    throw new KilnError(
      'invalid-options',
      'Kiln needs an API key: pass `apiKey`, or set the environment variable KILN_API_KEY. (`apiKey: null` is enough for formats().)',
    )
  }
  if (apiKey !== null && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new KilnError(
      'invalid-options',
      'The API key holds spaces or unprintable characters. Was it copied whole?',
    )
  }
  if (apiKey !== null && isBrowser()) {
    throw new KilnError(
      'invalid-options',
      'This is a browser, and an API key in a page can be read and spent by everyone who opens it. Call Kiln from your server, and let the page talk to that.',
    )
  }
  return {
    baseUrl: readBaseUrl(options.baseUrl ?? environment('KILN_URL') ?? defaultBaseUrl),
    apiKey,
    requestTimeout: positive('requestTimeout', options.requestTimeout ?? 30_000),
    idleTimeout: positive('idleTimeout', options.idleTimeout ?? 60_000),
    maxRetries: whole('maxRetries', options.maxRetries ?? 5),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    hasOwnFetch: options.fetch !== undefined,
  }
}

function readBaseUrl(text: string): string {
  const url = parseUrl(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new KilnError(
      'invalid-options',
      `The base address is "${text}", but must look like ${defaultBaseUrl}. Set it with \`baseUrl\` or KILN_URL.`,
    )
  }
  return url.href.replace(/\/+$/, '')
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    // Not a URL.
    return null
  }
}

function positive(name: string, value: number): number {
  if (value > 0) return value
  throw new KilnError(
    'invalid-options',
    `\`${name}\` is ${value}; it must be a positive number of milliseconds.`,
  )
}

function whole(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 0) return value
  throw new KilnError('invalid-options', `\`${name}\` is ${value}; it must be a whole number, 0 or more.`)
}

interface Globals {
  process?: { env?: Record<string, string | undefined>; versions?: { node?: string } }
  document?: unknown
  window?: unknown
  importScripts?: unknown
}

const globals = globalThis as unknown as Globals

function environment(name: string): string | undefined {
  return globals.process?.env?.[name] || undefined
}

/** A page or one of its workers. Node, Bun and Deno set `process.versions.node`. */
function isBrowser(): boolean {
  if (globals.process?.versions?.node !== undefined) return false
  const isPage = globals.window !== undefined && globals.document !== undefined
  return isPage || typeof globals.importScripts === 'function'
}
