import { createInvitation } from '../../src/web/invitations.ts'
import { cookieOf, createPageClient, originOf, type PageClient, postTo } from '../support/page-client.ts'
import type { TestService } from '../support/service.ts'

/** A POST of our own page, without a session. */
export const post = (service: TestService, path: string, body: object, headers?: Record<string, string>) =>
  postTo(service, 'app', path, body, headers)

export async function invite(service: TestService, accountId: string): Promise<string> {
  const order = { publicUrl: originOf(service), accountId, seconds: 60 }
  const { link } = await createInvitation(service.database, order)
  return new URL(link).hash.slice(1)
}

export const clientWith = (service: TestService, cookie: string): PageClient =>
  createPageClient(service, 'app', cookie)

export const userPassword = 'a good password'

/** Accepts an invitation to the account. A password takes a while to hash; most tests need none. */
export async function joinAs(
  service: TestService,
  name: string,
  accountId: string,
  password?: string,
): Promise<PageClient> {
  const token = await invite(service, accountId)
  const accepted = await post(service, '/accept', { token, name, password })
  if (accepted.status !== 200) throw new Error(`accept answered ${accepted.status}: ${await accepted.text()}`)
  return clientWith(service, cookieOf(accepted))
}
