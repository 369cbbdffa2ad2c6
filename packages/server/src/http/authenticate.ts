import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { hashKey, isWellFormedKey } from '../accounts/api-key.ts'
import { refused } from '../errors.ts'
import { overRate, type Rate } from './rate-limit.ts'

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

/** Admits a request whose key belongs to an account that is within its rate limit. */
export async function admit(request: FastifyRequest, rate: Rate) {
  const keyHash = bearerHash(request)
  const taken = await rate.take(keyHash)
  if (!taken) throw unknownKey()
  if (!taken.within) throw overRate(taken)
  return { keyHash, headers: taken.headers }
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Compares in constant time, independent of the length. */
export function hasBearerToken({ headers }: Pick<IncomingMessage, 'headers'>, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(given), digest(token))
}
