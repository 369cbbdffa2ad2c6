import { createRequire } from 'node:module'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CompatParts } from './compat-app.ts'
import { requireKey } from './request.ts'

// Health and version, which every client queries first.

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

export function statusRoutes(app: FastifyInstance, parts: CompatParts): void {
  const { apis, faults } = parts
  app.route({
    method: ['GET', 'HEAD'],
    url: '/health',
    async handler(_request, reply) {
      const found = await faults()
      const status = found.length === 0 ? 'up' : 'down'
      const timestamp = new Date().toISOString()
      const detail = { status, timestamp, ...(found.length > 0 ? { error: found.join(' ') } : {}) }
      // docling-serve and its clients check `status` only, and treat every response with 200 as healthy.
      const body = apis.includes('gotenberg')
        ? { status, details: { chromium: detail, libreoffice: detail } }
        : { status: found.length === 0 ? 'ok' : 'down' }
      return reply.code(found.length === 0 ? 200 : 503).send(body)
    },
  })
  const text = { 'content-type': 'text/plain; charset=UTF-8' }
  const forCallers = {
    preHandler: async (request: FastifyRequest) => void (await requireKey(parts, request)),
  }
  app.get('/version', forCallers, async (_request, reply) => reply.headers(text).send(version))
  app.get('/', forCallers, async (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=UTF-8')
      .send(`Kiln answers here for ${apis.join(', ')}. It has no pages on this port.`),
  )
  app.get('/favicon.ico', forCallers, async (_request, reply) => reply.code(204).send())
}
