import type { FastifyRequest } from 'fastify'
import { refused } from '../errors.ts'
import { parseObjectName } from '../storage/object-names.ts'
import type { LinkFields, Verb } from '../storage/signed-link.ts'
import type { Storage } from '../storage/storage.ts'

/** The signed fields of a link that is valid and has not expired; otherwise throws 403. */
export function requireValidLink(
  storage: Storage,
  verb: Verb,
  object: string,
  { url }: FastifyRequest,
): LinkFields {
  const start = url.indexOf('?')
  const query = start < 0 ? '' : url.slice(start + 1)
  const link = parseObjectName(object) ? storage.verify(verb, object, query) : { verdict: 'forged' as const }
  if (link.verdict === 'expired')
    throw refused('forbidden', 'This link has run out. Submit or poll again for a fresh one.')
  if (link.verdict === 'forged')
    throw refused('forbidden', 'This link is not valid. Use it exactly as it was given.')
  return link.fields
}
