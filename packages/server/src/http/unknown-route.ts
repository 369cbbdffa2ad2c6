import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type KilnError, refused } from '../errors.ts'
import { pathOf } from './errors.ts'

// Unknown paths get 404; known paths with another method get 405 and the list of allowed methods. Both are sent before
// the body is read, because no handler would read it.

export function answerUnknownRoutes(app: FastifyInstance): void {
  const routes: { pattern: RegExp; method: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(
      `^${url
        .replace(/[.$]/g, '\\$&')
        .replace(/:[^/]+/g, '[^/]+')
        .replace(/\*/g, '.*')}$`,
    )
    for (const name of [method].flat()) routes.push({ pattern, method: name })
  })
  const refusal = (request: FastifyRequest): KilnError => {
    const path = pathOf(request)
    const allowed = [
      ...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
    ]
    // A route of that method may have answered 404 itself.
    if (allowed.length === 0 || allowed.includes(request.method))
      return refused('not-found', 'There is nothing at this address.')
    const allow = allowed.join(', ')
    return refused('method-not-allowed', `This address takes ${allow} only.`, { allow })
  }
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? refusal(request) : undefined))
  // Routes that serve files call this handler when the file does not exist.
  app.setNotFoundHandler((request) => {
    throw refusal(request)
  })
}
