import { isIP, isIPv4, isIPv6 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refused } from '../errors.ts'

// How browser sessions are authenticated, for the operator console and for the web app.
//
// - A session is a cookie that scripts cannot read (HttpOnly), that is not sent with requests from other sites
//   (SameSite=Strict), and that is limited to one path.
// - A request that changes something must come from our own page, in addition to its cookie: browsers send
//   Sec-Fetch-Site, and older ones Origin; another site can forge neither. A request with neither is refused.
// - The Host must be an IP address, a name without a domain, or the host of the public address: a foreign domain that
//   resolves to this machine (DNS rebinding) is refused.
// - A page of another site cannot read responses: there are no CORS headers.

export function requireOwnPage(request: FastifyRequest, publicUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const site = request.headers['sec-fetch-site']
  const origin = request.headers.origin
  const fromOwnPage = site === undefined ? origin !== undefined : site === 'same-origin' && origin !== 'null'
  if (fromOwnPage && (origin === undefined || isOwn(origin, request, publicUrl))) return
  throw refused('forbidden', 'This call must come from a page of this service.')
}

export function requireOwnHost({ headers: { host = '' } }: FastifyRequest, publicUrl: string): void {
  const name = host.replace(/:\d+$/, '')
  const isAddress = isIP(name.replace(/^\[|\]$/g, '')) !== 0
  const isOwnName = !name.includes('.') || name.toLowerCase() === new URL(publicUrl).hostname
  if (isAddress || isOwnName) return
  throw refused(
    'forbidden',
    'The pages of this service are not served under this name. Use its public address, which KILN_PUBLIC_URL sets.',
  )
}

/** A proxy in front may change the Host; then the public address is compared. */
function isOwn(origin: string, request: FastifyRequest, publicUrl: string): boolean {
  return origin === publicUrl || (URL.canParse(origin) && new URL(origin).host === request.headers.host)
}

export function createSessionCookie(name: string, path: string, publicUrl: string) {
  const pattern = new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{43})(?:;|$)`)
  const secure = publicUrl.startsWith('https:')
  return {
    read: (request: FastifyRequest) => pattern.exec(request.headers.cookie ?? '')?.[1] ?? null,
    /** Null removes the cookie. */
    set(reply: FastifyReply, session: { token: string; endsAt: Date } | null): void {
      const seconds = session ? Math.max(0, Math.floor((session.endsAt.getTime() - Date.now()) / 1000)) : 0
      const attributes = [`Path=${path}`, 'HttpOnly', 'SameSite=Strict', `Max-Age=${seconds}`]
      if (secure) attributes.push('Secure')
      reply.header('set-cookie', [`${name}=${session?.token ?? ''}`, ...attributes].join('; '))
    },
  }
}

export type SessionCookie = ReturnType<typeof createSessionCookie>

/**
 * The network whose attempts to sign in are counted together. An IPv4 address is counted alone. An IPv6 client usually
 * controls a whole /64 network, so that is counted as one.
 */
export function callerNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (isIPv4(address) || !isIPv6(address)) return address
  // In the notation of a URL: lower case, no leading zeros, the longest run of zeros as `::`.
  const written = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1)
  const [head = '', tail = ''] = written.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}
