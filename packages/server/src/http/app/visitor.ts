import { BlockList, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { refused } from '../../errors.ts'
import type { WebApp } from '../../web/index.ts'
import type { Visitor } from '../../web/visitor.ts'
import type { SessionCookie } from '../browser-session.ts'

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
