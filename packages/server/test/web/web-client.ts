import { createInvitation } from '../../src/web/invitations.ts'
import type { TestService } from '../support/service.ts'

// Calls the web app's interface as its own page in a browser does.

export interface WebClient {
  cookie: string
  call(path: string, init?: RequestInit): Promise<Response>
  get<T = Record<string, unknown>>(path: string): Promise<T>
  post<T = Record<string, unknown>>(path: string, body?: object): Promise<T>
}

export const originOf = (service: TestService): string => new URL(service.base).origin

/** A POST of our own page, without a session. */
export const post = (
  service: TestService,
  path: string,
  body: object,
  headers: Record<string, string> = {},
) =>
  fetch(`${originOf(service)}/app/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: originOf(service), ...headers },
    body: JSON.stringify(body),
  })

export async function invite(service: TestService, accountId: string): Promise<string> {
  const order = { publicUrl: originOf(service), accountId, seconds: 60 }
  const { link } = await createInvitation(service.database, order)
  return new URL(link).hash.slice(1)
}

export const cookieOf = (response: Response): string =>
  String(response.headers.get('set-cookie')).split(';', 1)[0] as string

export function clientWith(service: TestService, cookie: string): WebClient {
  const origin = originOf(service)
  const call: WebClient['call'] = (path, init = {}) =>
    fetch(`${origin}/app/api${path}`, { ...init, headers: { cookie, origin, ...init.headers } })
  const read = async (response: Response) => {
    const body = await response.json()
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`)
    return body as never
  }
  return {
    cookie,
    call,
    get: async (path) => read(await call(path)),
    post: async (path, body = {}) =>
      read(
        await call(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
  }
}

export const userPassword = 'a good password'

/** Accepts an invitation to the account. A password takes a while to hash; most tests need none. */
export async function joinAs(
  service: TestService,
  name: string,
  accountId: string,
  password?: string,
): Promise<WebClient> {
  const token = await invite(service, accountId)
  const accepted = await post(service, '/accept', { token, name, password })
  if (accepted.status !== 200) throw new Error(`accept answered ${accepted.status}: ${await accepted.text()}`)
  return clientWith(service, cookieOf(accepted))
}
