// Calls of the console's own interface. The session is a cookie that this code never sees.

const base = '/console/api'

export class CallFailed extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

let onSignedOut: () => void = () => {}
/** Called when an answer says that the session is over. */
export const whenSignedOut = (callback: () => void): void => {
  onSignedOut = callback
}

export async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  let answer: Response
  try {
    answer = await fetch(base + path, init)
  } catch {
    throw new CallFailed('The service cannot be reached.', 0)
  }
  const body = (await answer.json().catch(() => ({}))) as T & { error?: string }
  if (answer.ok) return body
  if (answer.status === 401 && path !== '/sign-in') onSignedOut()
  throw new CallFailed(body.error ?? `The service answered ${answer.status}.`, answer.status)
}

export const send = <T>(path: string, body: object = {}): Promise<T> =>
  call<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Uploads with progress, which fetch cannot tell. */
export function upload(path: string, file: File, onProgress: (fraction: number) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = new XMLHttpRequest()
  request.open('PUT', base + path)
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    onProgress(total > 0 ? loaded / total : 1),
  )
  request.addEventListener('error', () => reject(new CallFailed('The upload broke off.', 0)))
  request.addEventListener('load', () => {
    if (request.status < 300) return resolve()
    let message = `The service answered ${request.status}.`
    try {
      message = (JSON.parse(request.responseText) as { error?: string }).error ?? message
    } catch {
      // The status has to do.
    }
    if (request.status === 401) onSignedOut()
    reject(new CallFailed(message, request.status))
  })
  request.send(file)
  return promise
}
