import { basename, dirname } from 'node:path'
import { send } from '@fastify/send'
import type { FastifyInstance } from 'fastify'
import { type KilnError, refused } from '../errors.ts'
import type { LocalStorage } from '../storage/local/local-storage.ts'
import { requireValidLink } from './signed-link.ts'

// GET and HEAD of {downloadUrl} of the local store: ranges, type and name as the signed link says.
// An output may hold what a stranger wrote, so a browser must save it, never show or guess it.

export function downloadRoute(app: FastifyInstance, storage: LocalStorage): void {
  app.route<{ Params: { output: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/out/:output',
    schema: { hide: true },
    handler: async (request, reply) => {
      const object = `out/${request.params.output}`
      request.jobId = request.params.output.split('.', 1)[0] as string
      const link = requireValidLink(storage, 'get', object, request)
      const path = storage.pathOf(object)
      const file = await send(request.raw, encodeURIComponent(basename(path)), {
        root: dirname(path),
        dotfiles: 'deny',
        cacheControl: false,
        index: false,
      })
      if (file.type === 'error') throw refusal(file.statusCode, file.headers) ?? file.metadata.error
      return reply
        .code(file.statusCode)
        .headers(file.headers)
        .headers({
          'content-type': link.type as string,
          'content-disposition': `attachment; filename="${link.name}"`,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'content-security-policy': "sandbox; default-src 'none'",
        })
        .send(file.stream)
    },
  })
}

/** The sender's own answers are pages of HTML. Null for what is no fault of the request. */
function refusal(status: number, headers: Record<string, string>): KilnError | null {
  if (status === 404) {
    return refused(
      'not-found',
      'The output is no longer there. It is deleted about an hour after the conversion.',
    )
  }
  if (status === 412) {
    return refused(
      'precondition-failed',
      'The output is not the one that If-Match or If-Unmodified-Since asks for.',
    )
  }
  if (status === 416) {
    const range = headers['Content-Range']
    const more = range ? { 'content-range': range } : {}
    return refused('range-not-satisfiable', 'The range lies outside the file.', more)
  }
  return null
}
