import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Delete } from '../conversions/delete.ts'
import { admit } from './admit.ts'
import { unknownKey } from './authenticate.ts'
import { errorResponses, rateLimited } from './error-responses.ts'
import type { Rate } from './rate-limit.ts'

/** DELETE /v1/conversions/{id}: cancels a waiting or running job, and deletes its files. */
export function deleteRoute(app: FastifyInstance, parts: { deleteConversion: Delete; rate: Rate }): void {
  // A body is ignored.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.delete<{ Params: { id: string } }>(
    '/v1/conversions/:id',
    {
      schema: {
        operationId: 'deleteConversion',
        summary: 'Cancel a job and delete its files',
        description:
          'A job that has not ended becomes `failed` with the word `cancelled`, and what it cost is given back. The output of a job that is done is deleted. Input and output are gone with the answer. Safe to repeat.',
        tags: ['Conversions'],
        params: Type.Object({ id: Type.String({ description: 'The `jobId`.' }) }),
        response: {
          204: Type.Null({ description: 'The job has ended, and its files are gone.', ...rateLimited }),
          ...errorResponses('unauthenticated', 'forbidden', 'not-found', 'rate-limited'),
        },
      },
    },
    async (request, reply) => {
      const { keyHash, headers } = await admit(request, parts.rate)
      request.jobId = request.params.id
      if (!(await parts.deleteConversion(keyHash, request.params.id))) throw unknownKey()
      return reply.headers(headers).code(204).send()
    },
  )
}
