import type { FastifyRequest } from 'fastify'
import { refused } from '../errors.ts'
import type { LocalStorage } from '../storage/local/local-storage.ts'
import type { Verb } from '../storage/local/signed-link.ts'
import { parseObjectName } from '../storage/object-names.ts'

/** The fields of a link that is whole and has not run out; otherwise 403. */
export function requireValidLink(
  storage: LocalStorage,
  verb: Verb,
  object: string,
  request: FastifyRequest,
): URLSearchParams {
  const query = new URLSearchParams(request.url.split('?')[1] ?? '')
  const verdict = parseObjectName(object) ? storage.verify(verb, object, query) : 'forged'
  if (verdict === 'expired')
    throw refused('forbidden', 'This link has run out. Submit or poll again for a fresh one.')
  if (verdict === 'forged')
    throw refused('forbidden', 'This link is not valid. Use it exactly as it was given.')
  return query
}
