import type { TestService } from './service.ts'

// Calls the interface of the web app or of the console as its own page in a browser does.

export type Interface = 'app' | 'console'

export interface PageClient {
  cookie: string
  call(path: string, init?: RequestInit): Promise<Response>
  get<T = Record<string, unknown>>(path: string): Promise<T>
  post<T = Record<string, unknown>>(path: string, body?: object): Promise<T>
}

export const originOf = (service: TestService): string => new URL(service.base).origin

export const cookieOf = (response: Response): string =>
  String(response.headers.get('set-cookie')).split(';', 1)[0] as string

/** A POST of our own page, without a session. */
export const postTo = (
  service: TestService,
  name: Interface,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${originOf(service)}/${name}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: originOf(service), ...headers },
    body: JSON.stringify(body),
  })

/** With the cookie of a session. */
export function createPageClient(service: TestService, name: Interface, cookie: string): PageClient {
  const origin = originOf(service)
  const read = async (response: Response) => {
    const body = await response.json()
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`)
    return body as never
  }
  const call: PageClient['call'] = (path, init = {}) =>
    fetch(`${origin}/${name}/api${path}`, { ...init, headers: { cookie, origin, ...init.headers } })
  return {
    cookie,
    call,
    get: async (path) => read(await call(path)),
    post: async (path, body = {}) => read(await postTo(service, name, path, body, { cookie })),
  }
}
