import type { FastifyInstance } from 'fastify'
import { at } from '../at.ts'
import type { Storage } from '../storage/storage.ts'
import { requireValidLink } from './signed-link.ts'

// GET and HEAD of {downloadUrl}: ranges, with the type and name of the signed link. An output may contain content from
// third parties, so a browser must save it and never render it or guess its type.

export function downloadRoute(app: FastifyInstance, storage: Storage): void {
  app.route<{ Params: { output: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/out/:output',
    schema: { hide: true },
    handler: async (request, reply) => {
      const object = `out/${request.params.output}`
      request.jobId = at(request.params.output.split('.', 1), 0)
      const link = requireValidLink(storage, 'get', object, request)
      const { status, headers, body } = await storage.download(object, request.raw)
      return reply
        .code(status)
        .headers(headers)
        .headers({
          'content-type': link.type as string,
          'content-disposition': attachment(link.name as string),
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'content-security-policy': "sandbox; default-src 'none'",
        })
        .send(body)
    },
  })
}

/** RFC 6266: an ASCII name for old clients, and the encoded name when it is not ASCII. */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  return plain === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
