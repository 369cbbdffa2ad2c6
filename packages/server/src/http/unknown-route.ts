import type { FastifyInstance } from 'fastify'
import { refused } from '../errors.ts'
import { pathOf } from './errors.ts'

// Unknown paths get 404; known paths with another method get 405 and the list of those that work.

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
  app.setNotFoundHandler((request) => {
    const path = pathOf(request)
    const allowed = [
      ...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
    ]
    // A route of that method may have found nothing itself.
    if (allowed.length === 0 || allowed.includes(request.method))
      throw refused('not-found', 'There is nothing at this address.')
    const allow = allowed.join(', ')
    throw refused('method-not-allowed', `This address takes ${allow} only.`, { allow })
  })
}
