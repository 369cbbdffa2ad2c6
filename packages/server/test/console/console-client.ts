import { cookieOf, createPageClient, type PageClient, postTo } from '../support/page-client.ts'
import type { TestService } from '../support/service.ts'

export const password = 'correct-horse-battery'

export const signIn = (service: TestService, secret = password): Promise<Response> =>
  postTo(service, 'console', '/sign-in', { password: secret })

export async function openConsole(service: TestService): Promise<PageClient> {
  const answer = await signIn(service)
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`)
  return createPageClient(service, 'console', cookieOf(answer))
}
