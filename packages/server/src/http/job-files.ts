import type { FastifyInstance } from 'fastify'
import { type GrantFiles, grantPath } from '../conversions/grant-files.ts'
import { refused } from '../errors.ts'
import { hasBearerToken } from './authenticate.ts'
import { id, integer, text } from './input.ts'

// POST /internal/job-files: a worker requests links to the files of a job that it runs. The route exists only with
// KILN_WORKER_TOKEN and a bucket; the token is checked before the body is read.

export interface JobFilesAccess {
  token: string
  grantFiles: GrantFiles
}

const maxBodyBytes = 1024

export function jobFilesRoute(app: FastifyInstance, { token, grantFiles }: JobFilesAccess): void {
  app.post(
    grantPath,
    {
      schema: { hide: true },
      bodyLimit: maxBodyBytes,
      onRequest: async ({ raw }) => {
        if (!hasBearerToken(raw, token))
          throw refused('unauthenticated', 'Workers send KILN_WORKER_TOKEN as a bearer token.', {
            'www-authenticate': 'Bearer realm="kiln workers"',
          })
      },
    },
    async (request, reply) => {
      const { body } = request
      const jobId = id(body, 'jobId')
      request.jobId = jobId
      const attempt = integer(body, 'attempt', 1, 999_999_999)
      reply.header('cache-control', 'no-store')
      return grantFiles({ jobId, attempt, token: text(body, 'token', 100) })
    },
  )
}
