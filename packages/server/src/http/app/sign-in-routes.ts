import type { FastifyInstance } from 'fastify'
import { refused } from '../../errors.ts'
import type { WebApp } from '../../web/index.ts'
import type { Visitor } from '../../web/visitor.ts'
import { type BrowserApi, hidden } from '../browser-api.ts'
import type { SessionCookie } from '../browser-session.ts'
import { callerNetwork } from '../caller-network.ts'
import { optionalObject, optionalText, secret, text } from '../input.ts'
import type { createVisitorOf, Entry } from './visitor.ts'

// Signing in to the web app, with an invitation, a password or a passkey, or as a guest; and managing the user's
// password and passkeys.

export interface SignInRoutesParts {
  webApp: () => Promise<WebApp>
  cookie: SessionCookie
  visitorOf: ReturnType<typeof createVisitorOf>
  guestAccess: boolean
  guestMaxBytes: number
}

export function signInRoutes(app: FastifyInstance, api: BrowserApi<Entry>, parts: SignInRoutesParts): void {
  const { webApp, cookie, visitorOf, guestAccess } = parts
  const open = { ...hidden, bodyLimit: 32 * 1024 }

  // Needs no session: the page requests this first.
  app.get('/session', hidden, async (request) => {
    const visitor = await visitorOf.find(request, await webApp())
    return {
      guestAccess,
      visitor: visitor && describe(visitor, parts.guestMaxBytes),
    }
  })
  app.post('/invitation', open, async ({ body, ip }) =>
    (await webApp()).signIn.invitation(text(body, 'token', 100), callerNetwork(ip)),
  )
  app.post('/accept', open, async ({ body, ip }, reply) => {
    const { signIn } = await webApp()
    const password =
      optionalObject({ body }, 'body')?.password === undefined ? null : secret(body, 'password')
    const session = await signIn.accept(
      text(body, 'token', 100),
      text(body, 'name', 100),
      password,
      callerNetwork(ip),
    )
    cookie.set(reply, session)
    return {}
  })
  app.post('/sign-in', open, async ({ body, ip }, reply) => {
    const { signIn } = await webApp()
    const session = await signIn.signIn(text(body, 'name', 100), secret(body, 'password'), callerNetwork(ip))
    cookie.set(reply, session)
    return {}
  })
  app.post('/passkey/options', open, async () => (await webApp()).passkeys.signInOptions())
  app.post('/passkey/sign-in', open, async ({ body, ip }, reply) => {
    const { passkeys } = await webApp()
    cookie.set(reply, await passkeys.signIn(optionalObject(body, 'response') as never, callerNetwork(ip)))
    return {}
  })
  app.post('/guest', open, async (_request, reply) => {
    if (!guestAccess) throw refused('forbidden', 'This service has no guest access. Sign in.')
    cookie.set(reply, await (await webApp()).visitors.openGuestSession())
    return {}
  })
  app.post('/sign-out', open, async (request, reply) => {
    const token = cookie.read(request)
    if (token) await (await webApp()).signIn.signOut(token)
    cookie.set(reply, null)
    return {}
  })
  ownRoutes(api, cookie)
}

function ownRoutes({ read, change }: BrowserApi<Entry>, cookie: SessionCookie): void {
  read('/passkeys', async (_request, { app, visitor }) => ({
    passkeys: await app.passkeys.list(userOf(visitor).userId),
  }))
  change('/passkeys/options', 'asked to add a passkey', (_request, { app, visitor }) =>
    app.passkeys.registrationOptions(userOf(visitor)),
  )
  change('/passkeys', 'added a passkey', ({ body }, { app, visitor }) =>
    app.passkeys.register(userOf(visitor), optionalObject(body, 'response') as never),
  )
  change('/passkeys/:id/remove', 'removed a passkey', ({ params }, { app, visitor }) =>
    app.passkeys.remove(userOf(visitor).userId, text(params, 'id', 4096)),
  )
  change('/password', 'changed the password', async (request, { app, visitor }) => {
    const { body, ip } = request
    const token = cookie.read(request)
    if (!token) throw refused('forbidden', 'Your proxy signs you in; there is no password to change here.')
    const current = optionalText(body, 'current', 500) ?? ''
    await app.signIn.changePassword(userOf(visitor), token, current, secret(body, 'next'), callerNetwork(ip))
  })
}

function userOf({ user }: Visitor): { userId: string; userName: string } {
  if (!user) throw refused('forbidden', 'Guests cannot do this. Sign in first.')
  return { userId: user.id, userName: user.name }
}

const describe = ({ user, accountName, sessionHash }: Visitor, guestMaxBytes: number) => ({
  isGuest: user === null,
  userName: user?.name ?? null,
  accountName,
  /** Null: only the limit of the pair applies. */
  maxBytes: user === null ? guestMaxBytes : null,
  /** False for a user whom a proxy has signed in: there is no session to end here. */
  canSignOut: sessionHash !== null,
})
