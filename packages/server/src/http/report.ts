import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Read } from '../conversions/read.ts'
import { admit } from './admit.ts'
import { unknownKey } from './authenticate.ts'
import { errorResponses, rateLimited } from './error-responses.ts'
import type { Rate } from './rate-limit.ts'

/** GET /v1/conversions/{id}/report: what the converter detected and did. One round trip. */
export function reportRoute(app: FastifyInstance, { read, rate }: { read: Read; rate: Rate }): void {
  app.get<{ Params: { id: string } }>(
    '/v1/conversions/:id/report',
    {
      schema: {
        operationId: 'getReport',
        summary: 'Read the report of a job that has ended',
        tags: ['Conversions'],
        params: Type.Object({ id: Type.String({ description: 'The `jobId`.' }) }),
        response: {
          200: Type.Ref('Report', { description: 'What was seen and done.', ...rateLimited }),
          ...errorResponses('unauthenticated', 'forbidden', 'not-found', 'rate-limited'),
        },
      },
    },
    async (request, reply) => {
      const { keyHash, headers } = await admit(request, rate)
      request.jobId = request.params.id
      const report = await read.report(keyHash, request.params.id)
      if (!report) throw unknownKey()
      return reply.headers(headers).header('cache-control', 'no-store').send(report)
    },
  )
}

/** The Link header of the poll response that points to the report. */
export const reportLink = (prefix: string, jobId: string): string =>
  `<${prefix}/v1/conversions/${jobId}/report>; rel="describedby"; type="application/json"`
