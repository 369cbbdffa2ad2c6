import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

// The service's own presigned links. A link names an object, the permitted operation and its expiry; the signature
// covers all of them, so a link can be passed on but not extended.
//   /files/in/<job>?bytes=…&expires=…&signature=…            PUT
//   /files/out/<job>.<attempt>?name=…&type=…&expires=…&signature=…   GET, HEAD
//
// Callers get the fields of a link only from `verifyLink`. It parses the query once, refuses duplicate names, and
// returns exactly the fields that the signature covers, so that no second parser can read another value.

export type Verb = 'put' | 'get'
export type LinkFields = Readonly<Record<string, string>>

interface Link {
  verb: Verb
  object: string
}

export function signLink(
  key: KeyObject,
  { verb, object, expiresAt, fields }: Link & { expiresAt: Date; fields: LinkFields },
): string {
  const query = canonical({ ...fields, expires: String(Math.floor(expiresAt.getTime() / 1000)) })
  return `/files/${object}?${query}&signature=${signature(key, verb, object, query)}`
}

/** A key derived for one purpose; it reveals nothing about the key of the links. */
export const derivedKey = (key: KeyObject, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', key.export(), '', `kiln ${purpose}`, 32)))

export type LinkVerdict =
  | { verdict: 'valid'; fields: LinkFields }
  | { verdict: 'expired' }
  | { verdict: 'forged' }

/** `query` is the part of the link after the first question mark. */
export function verifyLink(
  key: KeyObject,
  { verb, object, query, now }: Link & { query: string; now: Date },
): LinkVerdict {
  const entries = [...new URLSearchParams(query)]
  const isDoubled = new Set(entries.map(([name]) => name)).size !== entries.length
  const { signature: given = '', ...fields } = Object.fromEntries(entries)
  const wanted = Buffer.from(signature(key, verb, object, canonical(fields)))
  const found = Buffer.from(given)
  if (isDoubled || found.length !== wanted.length || !timingSafeEqual(found, wanted))
    return { verdict: 'forged' }
  return Number(fields.expires) * 1000 > now.getTime()
    ? { verdict: 'valid', fields: Object.freeze(fields) }
    : { verdict: 'expired' }
}

/** One canonical spelling per set of fields: sorted, and encoded so that no value can be mistaken for two. */
const canonical = (fields: LinkFields): string =>
  Object.entries(fields)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')

const signature = (key: KeyObject, verb: Verb, object: string, query: string): string =>
  createHmac('sha256', key).update(`${verb}\n${object}\n${query}`).digest('base64url')
