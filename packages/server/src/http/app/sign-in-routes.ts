import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refused } from '../../errors.ts'
import type { WebApp } from '../../web/index.ts'
import type { Visitor } from '../../web/visitor.ts'
import { type BrowserApi, hidden } from '../browser-api.ts'
import { callerNetwork, type SessionCookie } from '../browser-session.ts'
import { optionalObject, optionalText, secret, text } from '../input.ts'

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

// Authenticates requests of the web app. A proxy that authenticates users (OIDC, for example) names the user in a header.
// The header is trusted only when the connection comes directly from an address in KILN_TRUSTED_PROXIES; otherwise it
// is ignored.

export interface Entry {
  app: WebApp
  visitor: Visitor
}

export interface VisitorParts {
  cookie: SessionCookie
  userHeader: string | null
  trustedProxies: readonly string[]
}

export function createVisitorOf({ cookie, userHeader, trustedProxies }: VisitorParts) {
  const proxies = blockListOf(trustedProxies)
  const isTrusted = (address: string | undefined) =>
    address !== undefined &&
    (proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') ||
      (address.startsWith('::ffff:') && proxies.check(address.slice(7), 'ipv4')))

  /** The user whom a trusted proxy names. */
  const proxyUser = (request: FastifyRequest): string | null => {
    if (userHeader === null || !isTrusted(request.socket.remoteAddress)) return null
    const name = request.headers[userHeader]
    if (typeof name !== 'string' || name.trim() === '') return null
    if (name.length > 200 || /\p{Cc}/u.test(name))
      throw refused('bad-request', 'The user name of the proxy is not valid.')
    return name.trim()
  }

  const find = async (request: FastifyRequest, app: WebApp): Promise<Visitor | null> => {
    const name = proxyUser(request)
    if (name !== null) return app.visitors.ofProxy(name)
    const token = cookie.read(request)
    return token === null ? null : app.visitors.ofSession(token)
  }

  return {
    find,
    async require(request: FastifyRequest, app: WebApp): Promise<Visitor> {
      const visitor = await find(request, app)
      if (!visitor) throw refused('unauthenticated', 'Sign in first.')
      return visitor
    },
  }
}

function blockListOf(addresses: readonly string[]): BlockList {
  const list = new BlockList()
  for (const each of addresses) {
    const [address = '', bits] = each.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
