import type { FastifyRequest } from 'fastify'
import { bearerHash, unknownKey } from './authenticate.ts'
import { overRate, type Rate } from './rate-limit.ts'

/** Admits a request whose key belongs to an account that is within its rate limit. */
export async function admit(request: FastifyRequest, rate: Rate) {
  const keyHash = bearerHash(request)
  const taken = await rate.take(keyHash)
  if (!taken) throw unknownKey()
  if (!taken.within) throw overRate(taken)
  return { keyHash, headers: taken.headers }
}
