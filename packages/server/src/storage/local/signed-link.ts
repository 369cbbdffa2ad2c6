import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

// The service's own presigned links. A link names what may be done with one object until when;
// the signature covers all of it, so a link can be passed on but not widened.
//   /files/in/<job>?bytes=…&expires=…&signature=…            PUT
//   /files/out/<job>.<attempt>?name=…&type=…&expires=…&signature=…   GET, HEAD

export type Verb = 'put' | 'get'

export function signLink(
  key: KeyObject,
  verb: Verb,
  object: string,
  expiresAt: Date,
  fields: Record<string, string>,
): string {
  const query = canonical({ ...fields, expires: String(Math.floor(expiresAt.getTime() / 1000)) })
  return `/files/${object}?${query}&signature=${signature(key, verb, object, query)}`
}

export type LinkVerdict = 'valid' | 'expired' | 'forged'

export function verifyLink(
  key: KeyObject,
  verb: Verb,
  object: string,
  query: URLSearchParams,
  now: Date,
): LinkVerdict {
  const { signature: given = '', ...fields } = Object.fromEntries(query)
  const wanted = Buffer.from(signature(key, verb, object, canonical(fields)))
  const found = Buffer.from(given)
  if (found.length !== wanted.length || !timingSafeEqual(found, wanted)) return 'forged'
  return Number(fields.expires) * 1000 > now.getTime() ? 'valid' : 'expired'
}

/** One spelling for one set of fields: sorted, and encoded so that no value can pass for two. */
const canonical = (fields: Record<string, string>): string =>
  Object.keys(fields)
    .sort()
    .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(fields[name] as string)}`)
    .join('&')

const signature = (key: KeyObject, verb: Verb, object: string, query: string): string =>
  createHmac('sha256', key).update(`${verb}\n${object}\n${query}`).digest('base64url')
