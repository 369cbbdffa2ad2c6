// Calls of the interface of the console or of the web app. The session is a cookie that scripts cannot read.

let base = ''
/** Each of the two sets its own at the start. */
export const setApiBase = (path: string): void => {
  base = path
}

export class CallFailed extends Error {
  readonly status: number
  /** The error code of the interface, such as `rate-limited`; empty when there was no response. */
  readonly code: string
  /** From Retry-After; null without it. */
  readonly retryAfterSeconds: number | null
  constructor(message: string, status: number, code = '', retryAfterSeconds: number | null = null) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

let onSignedOut: () => void = () => {}
/** Called when a response indicates that the session has ended. */
export const whenSignedOut = (callback: () => void): void => {
  onSignedOut = callback
}

export async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  let answer: Response
  try {
    answer = await fetch(base + path, init)
  } catch {
    // fetch() rejects only when there is no response.
    throw new CallFailed('The service cannot be reached.', 0)
  }
  // A proxy may answer with a page instead of JSON; the status is sufficient.
  const body = (await answer.json().catch(() => ({}))) as T & { error?: string; code?: string }
  if (answer.ok) return body
  if (answer.status === 401 && path !== '/sign-in') onSignedOut()
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN)
  throw new CallFailed(
    body.error ?? `The service answered ${answer.status}.`,
    answer.status,
    body.code,
    Number.isFinite(retryAfter) ? retryAfter : null,
  )
}

export const send = <T>(path: string, body: object = {}): Promise<T> =>
  call<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const stalledMilliseconds = 60_000

export interface UploadOptions {
  onProgress?: (fraction: number) => void
  signal?: AbortSignal
}

/** Uploads a file to the interface. */
export const upload = (path: string, file: Blob): Promise<void> => put(base + path, file)

/** Uploads a file to any address, with progress, which fetch does not report. */
export function put(url: string, file: Blob, { onProgress, signal }: UploadOptions = {}): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = new XMLHttpRequest()
  request.open('PUT', url)
  // A broken connection may go unnoticed for minutes, so an upload without progress is aborted.
  const interrupt = () => request.abort()
  let stalled = setTimeout(interrupt, stalledMilliseconds)
  addEventListener('offline', interrupt)
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    clearTimeout(stalled)
    stalled = setTimeout(interrupt, stalledMilliseconds)
    onProgress?.(total > 0 ? loaded / total : 1)
  })
  request.addEventListener('loadend', () => {
    clearTimeout(stalled)
    removeEventListener('offline', interrupt)
  })
  for (const event of ['error', 'abort'])
    request.addEventListener(event, () => reject(new CallFailed('The upload was interrupted.', 0)))
  request.addEventListener('load', () => {
    if (request.status < 300) return resolve()
    if (request.status === 401) onSignedOut()
    reject(new CallFailed(messageOf(request), request.status))
  })
  signal?.addEventListener('abort', interrupt)
  request.send(file)
  return promise
}

function messageOf({ responseText, status }: XMLHttpRequest): string {
  try {
    const { error } = JSON.parse(responseText) as { error?: string }
    if (error) return error
  } catch {
    // A bucket answers with XML; its status is enough.
  }
  return `The storage answered ${status}.`
}
