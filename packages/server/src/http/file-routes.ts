import type { FastifyInstance, FastifyRequest } from 'fastify'
import { at } from '../at.ts'
import type { AcceptUpload } from '../conversions/accept-upload.ts'
import { refused } from '../errors.ts'
import { inputObject, parseObjectName } from '../storage/object-names.ts'
import type { LinkFields, Verb } from '../storage/signed-link.ts'
import type { Storage } from '../storage/storage.ts'
import { sendContinue } from './request-headers.ts'

/** Uploads only where the service receives them itself. */
export function fileRoutes(
  app: FastifyInstance,
  { storage, acceptUpload }: { storage: Storage; acceptUpload: AcceptUpload | null },
): void {
  // The body is the file, whatever its content type: it is not parsed.
  app.addHook('onRequest', (request, _reply, done) => {
    delete request.raw.headers['content-type']
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  if (acceptUpload) uploadRoute(app, storage, acceptUpload)
  downloadRoute(app, storage)
}

// GET and HEAD of {downloadUrl}: ranges, with the type and name of the signed link. An output may contain content from
// third parties, so a browser must save it and never render it or guess its type.
function downloadRoute(app: FastifyInstance, storage: Storage): void {
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
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
  return plain === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

// PUT {uploadUrl} of the local store. The link contains the job and the number of bytes; only the length is checked,
// and the content type is ignored. The body is streamed to a file.
function uploadRoute(app: FastifyInstance, storage: Storage, acceptUpload: AcceptUpload): void {
  app.put<{ Params: { job: string } }>(
    '/files/in/:job',
    { schema: { hide: true }, bodyLimit: Number.MAX_SAFE_INTEGER },
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

/** The signed fields of a link that is valid and has not expired; otherwise throws 403. */
function requireValidLink(storage: Storage, verb: Verb, object: string, { url }: FastifyRequest): LinkFields {
  const start = url.indexOf('?')
  const query = start < 0 ? '' : url.slice(start + 1)
  const link = parseObjectName(object) ? storage.verify(verb, object, query) : { verdict: 'forged' as const }
  if (link.verdict === 'expired')
    throw refused('forbidden', 'This link has run out. Submit or poll again for a fresh one.')
  if (link.verdict === 'forged')
    throw refused('forbidden', 'This link is not valid. Use it exactly as it was given.')
  return link.fields
}
