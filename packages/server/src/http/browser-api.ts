import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refused } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { requireOwnHost, requireOwnPage } from './browser-session.ts'

// The common parts of the private APIs of the operator console and the web app: the headers of every response, the
// check that a change comes from our own page, and a log entry for every change.

export type Call<Context> = (
  request: FastifyRequest,
  context: Context,
  reply: FastifyReply,
) => Promise<unknown>

export interface BrowserApi<Context> {
  read(path: string, call: Call<Context>): void
  /** A POST that is not logged. */
  post(path: string, call: Call<Context>): void
  /** `what` completes the log entry, for example `the operator revoked a key`. */
  change(path: string, what: string, call: Call<Context>): void
  /** A PUT whose body is a small file. */
  putFile(
    path: string,
    what: string,
    call: (request: FastifyRequest, context: Context, file: Buffer) => Promise<unknown>,
  ): void
}

export interface BrowserApiParts<Context> {
  publicUrl: string
  log: Log
  /** For example `the operator`. */
  actor: string
  /** Throws 401 for a request without a session. */
  enter: (request: FastifyRequest) => Promise<Context>
}

export const hidden = { schema: { hide: true } }

const maxFileBytes = 1024 * 1024

export function createBrowserApi<Context>(
  app: FastifyInstance,
  { publicUrl, log, actor, enter }: BrowserApiParts<Context>,
): BrowserApi<Context> {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
    requireOwnHost(request, publicUrl)
    requireOwnPage(request, publicUrl)
  })
  // A change without arguments needs no body.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, {})
    try {
      done(null, JSON.parse(body as string))
    } catch {
      // JSON.parse() throws for every body that is not JSON.
      done(refused('bad-request', 'The body is not valid JSON.'))
    }
  })
  const logged =
    (what: string, call: Call<Context>): Call<Context> =>
    async (request, context, reply) => {
      const answer = await call(request, context, reply)
      log.info({ requestId: request.id, ...(request.params as object) }, `${actor} ${what}`)
      return answer
    }
  const guarded = (call: Call<Context>) => async (request: FastifyRequest, reply: FastifyReply) =>
    call(request, await enter(request), reply)
  const post = (path: string, call: Call<Context>) =>
    void app.post(
      path,
      { ...hidden, bodyLimit: 32 * 1024 },
      guarded(async (...args) => (await call(...args)) ?? {}),
    )

  return {
    read: (path, call) => void app.get(path, hidden, guarded(call)),
    post,
    change: (path, what, call) => post(path, logged(what, call)),
    putFile(path, what, call) {
      app.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
        scope.addHook('onRequest', async ({ headers }) => {
          if (Number(headers['content-length'] ?? 0) > maxFileBytes)
            throw refused('bad-request', 'The file is larger than 1 MB. Choose a smaller one.')
        })
        scope.put(
          path,
          { ...hidden, bodyLimit: maxFileBytes },
          guarded(
            logged(what, (request, context) =>
              call(request, context, Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)),
            ),
          ),
        )
      })
    },
  }
}
