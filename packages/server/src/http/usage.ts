import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Read } from '../conversions/read.ts'
import { admit, unknownKey } from './authenticate.ts'
import type { Rate } from './rate-limit.ts'
import { errorResponses, rateLimited } from './schemas.ts'

/** GET /v1/usage: the usage of the account this month. One round trip. */
export function usageRoute(app: FastifyInstance, { read, rate }: { read: Read; rate: Rate }): void {
  app.get(
    '/v1/usage',
    {
      schema: {
        operationId: 'getUsage',
        summary: 'Read the usage of the account',
        tags: ['Usage'],
        response: {
          200: Type.Ref('Usage', {
            description: 'The usage of the current calendar month (UTC).',
            ...rateLimited,
          }),
          ...errorResponses('unauthenticated', 'rate-limited'),
        },
      },
    },
    async (request, reply) => {
      const { keyHash, headers } = await admit(request, rate)
      const usage = await read.usage(keyHash)
      if (!usage) throw unknownKey()
      return reply.headers(headers).header('cache-control', 'no-store').send(usage)
    },
  )
}
