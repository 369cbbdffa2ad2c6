import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session, SignIn } from '../../console/sign-in.ts'
import { refused } from '../../errors.ts'

// Who may call the console's own interface.
//
// - The session is a cookie that scripts cannot read (HttpOnly), that no other site's request carries
//   (SameSite=Strict), and that is sent to /console alone.
// - A request that changes something must say that it comes from our own page, whatever the cookie: browsers
//   send Sec-Fetch-Site, and older ones Origin; another site can forge neither. One without both is refused.
// - The Host is an address, a name without a domain, or that of the public address: a foreign domain that was made to
//   resolve to this machine (DNS rebinding) is refused.
// - A page of another site cannot read answers: nothing here allows it to (no CORS headers).

const cookieName = 'kiln_console'

export function requireOwnPage(request: FastifyRequest, publicUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const site = request.headers['sec-fetch-site']
  const origin = request.headers.origin
  const fromOwnPage = site === undefined ? origin !== undefined : site === 'same-origin' && origin !== 'null'
  if (fromOwnPage && (origin === undefined || isOwn(origin, request, publicUrl))) return
  throw refused('forbidden', 'This call must come from the console itself.')
}

export function requireOwnHost({ headers: { host = '' } }: FastifyRequest, publicUrl: string): void {
  const name = host.replace(/:\d+$/, '')
  const isAddress = isIP(name.replace(/^\[|\]$/g, '')) !== 0
  const isOwnName = !name.includes('.') || name.toLowerCase() === new URL(publicUrl).hostname
  if (isAddress || isOwnName) return
  throw refused(
    'forbidden',
    'The console is not served under this name. Use the public address of the service, which KILN_PUBLIC_URL sets.',
  )
}

/** A proxy before us may change the Host; then the public address counts. */
function isOwn(origin: string, request: FastifyRequest, publicUrl: string): boolean {
  return origin === publicUrl || (URL.canParse(origin) && new URL(origin).host === request.headers.host)
}

export function tokenOf(request: FastifyRequest): string | null {
  const match = /(?:^|;\s*)kiln_console=([A-Za-z0-9_-]{43})(?:;|$)/.exec(request.headers.cookie ?? '')
  return match?.[1] ?? null
}

/** When the session ends; 401 without one. */
export async function requireSession(request: FastifyRequest, signIn: SignIn): Promise<Date> {
  const token = tokenOf(request)
  const endsAt = token === null ? null : await signIn.session(token)
  if (endsAt === null) throw refused('unauthenticated', 'Sign in first.')
  return endsAt
}

export function setSessionCookie(reply: FastifyReply, session: Session | null, secure: boolean): void {
  const seconds = session ? Math.max(0, Math.floor((session.endsAt.getTime() - Date.now()) / 1000)) : 0
  const attributes = ['Path=/console', 'HttpOnly', 'SameSite=Strict', `Max-Age=${seconds}`]
  if (secure) attributes.push('Secure')
  reply.header('set-cookie', [`${cookieName}=${session?.token ?? ''}`, ...attributes].join('; '))
}
