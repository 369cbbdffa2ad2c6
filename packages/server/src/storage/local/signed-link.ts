import { createHmac, timingSafeEqual } from 'node:crypto'

// The service's own presigned links. A link names what may be done with one object until when;
// the signature covers all of it, so a link can be passed on but not widened.
//   /files/in/<job>?bytes=…&expires=…&signature=…            PUT
//   /files/out/<job>.<attempt>?name=…&type=…&expires=…&signature=…   GET, HEAD

export type Verb = 'put' | 'get'

export function signLink(
  key: Buffer,
  verb: Verb,
  object: string,
  expiresAt: Date,
  fields: Record<string, string>,
): string {
  const query = new URLSearchParams({ ...fields, expires: String(Math.floor(expiresAt.getTime() / 1000)) })
  query.set('signature', signature(key, verb, object, query))
  return `/files/${object}?${query}`
}

export type LinkVerdict = 'valid' | 'expired' | 'forged'

export function verifyLink(
  key: Buffer,
  verb: Verb,
  object: string,
  query: URLSearchParams,
  now: Date,
): LinkVerdict {
  const given = Buffer.from(query.get('signature') ?? '', 'base64url')
  const rest = new URLSearchParams(query)
  rest.delete('signature')
  const wanted = Buffer.from(signature(key, verb, object, rest), 'base64url')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 'forged'
  return Number(query.get('expires')) * 1000 > now.getTime() ? 'valid' : 'expired'
}

function signature(key: Buffer, verb: Verb, object: string, query: URLSearchParams): string {
  const sorted = new URLSearchParams(query)
  sorted.sort()
  return createHmac('sha256', key).update(`${verb}\n${object}\n${sorted}`).digest('base64url')
}
