import type { FastifyRequest } from 'fastify'
import { hashKey, isWellFormedKey } from '../accounts/api-key.ts'
import { refused } from '../errors.ts'

// Reads the bearer key of a request. Only its form is checked here; whether the key is valid is checked together with
// the operation itself, in one round trip to the database.

const challenge = { 'www-authenticate': 'Bearer realm="kiln"' }

export function bearerHash(request: FastifyRequest): Buffer {
  const header = request.headers.authorization
  if (!header)
    throw refused(
      'unauthenticated',
      'This call needs an API key: Authorization: Bearer <API_KEY>.',
      challenge,
    )
  const key = /^Bearer +([^\s]+) *$/i.exec(header)?.[1]
  if (!key)
    throw refused('unauthenticated', 'The Authorization header must read: Bearer <API_KEY>.', challenge)
  if (!isWellFormedKey(key)) {
    throw refused('unauthenticated', 'This is not an API key of Kiln. Was it copied whole?', challenge)
  }
  return hashKey(key)
}

export const unknownKey = () =>
  refused('unauthenticated', 'This API key is unknown or has been revoked.', challenge)
