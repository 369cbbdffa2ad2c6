import type { FastifyInstance } from 'fastify'
import type { AcceptUpload } from '../conversions/accept-upload.ts'
import { refused } from '../errors.ts'
import { inputObject } from '../storage/object-names.ts'
import type { Storage } from '../storage/storage.ts'
import { sendContinue } from './expectations.ts'
import { requireValidLink } from './signed-link.ts'

// PUT {uploadUrl} of the local store. The link contains the job and the number of bytes; only the length is checked,
// and the content type is ignored. The body is streamed to a file.

export function uploadRoute(app: FastifyInstance, storage: Storage, acceptUpload: AcceptUpload): void {
  app.put<{ Params: { job: string } }>(
    '/files/in/:job',
    {
      schema: { hide: true },
      bodyLimit: Number.MAX_SAFE_INTEGER,
    },
    async (request, reply) => {
      request.jobId = request.params.job
      const link = requireValidLink(storage, 'put', inputObject(request.params.job), request)
      const length = request.headers['content-length']
      if (length === undefined) {
        throw refused('length-required', 'The upload must state its length in the Content-Length header.')
      }
      const { tag } = await acceptUpload({
        jobId: request.params.job,
        declaredBytes: Number(link.bytes),
        contentLength: Number(length),
        openBody() {
          sendContinue(request.raw, reply.raw)
          return request.raw
        },
      })
      return reply.code(200).header('etag', `"${tag}"`).send()
    },
  )
}
