import type { TestService } from '../support/service.ts'

// Calls the console's interface as its own page in a browser does.

export const password = 'correct-horse-battery'

export interface ConsoleClient {
  cookie: string
  call(path: string, init?: RequestInit): Promise<Response>
  get<T = Record<string, unknown>>(path: string): Promise<T>
  post<T = Record<string, unknown>>(path: string, body?: object): Promise<T>
}

export const originOf = (service: TestService): string => new URL(service.base).origin

export async function signIn(service: TestService, secret = password): Promise<Response> {
  const origin = originOf(service)
  return fetch(`${origin}/console/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ password: secret }),
  })
}

export async function openConsole(service: TestService): Promise<ConsoleClient> {
  const origin = originOf(service)
  const answer = await signIn(service)
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`)
  const cookie = String(answer.headers.get('set-cookie')).split(';', 1)[0] as string
  const call: ConsoleClient['call'] = (path, init = {}) =>
    fetch(`${origin}/console/api${path}`, { ...init, headers: { cookie, origin, ...init.headers } })
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
