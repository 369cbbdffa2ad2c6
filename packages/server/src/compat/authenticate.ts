import type { FastifyRequest } from 'fastify'
import { hashKey, isWellFormedKey } from '../accounts/api-key.ts'
import { refused } from '../errors.ts'

// The API key of a caller of a compatibility API: a bearer token, the header X-Api-Key or the password of basic
// authentication. Callers without a key use the account that the operator has configured for them, if any.

const challenge = { 'www-authenticate': 'Basic realm="kiln"' }

export function keyHashOf(request: Pick<FastifyRequest, 'headers'>, defaultKey: string | null): Buffer {
  const key = givenKey(request) ?? defaultKey
  if (key === null)
    throw refused(
      'unauthenticated',
      'This call needs an API key: as a bearer token, in the header X-Api-Key or as the password of basic authentication.',
      challenge,
    )
  if (!isWellFormedKey(key))
    throw refused('unauthenticated', 'This is not an API key of Kiln. Was it copied whole?', challenge)
  return hashKey(key)
}

function givenKey({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const named = headers['x-api-key']
  if (typeof named === 'string' && named !== '') return named
  const [scheme = '', value = ''] = (headers.authorization ?? '').split(/ +/, 2)
  if (/^bearer$/i.test(scheme) && value !== '') return value
  if (!/^basic$/i.test(scheme)) return null
  const [, ...password] = Buffer.from(value, 'base64').toString('utf8').split(':')
  return password.join(':') || null
}
