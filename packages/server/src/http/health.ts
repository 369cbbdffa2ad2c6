import type { FastifyInstance } from 'fastify'

// /healthz: the process lives. /readyz: it can take a request now; it goes down first when the
// process drains, so that a balancer sends no more.

export interface Health {
  /** What is wrong, or an empty list. */
  faults(): Promise<readonly string[]>
  facts(): Record<string, unknown>
}

export function healthRoutes(app: FastifyInstance, health: Health): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok', ...health.facts() }))
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const faults = await health.faults()
    if (faults.length === 0) return { status: 'ready', ...health.facts() }
    return reply
      .code(503)
      .header('retry-after', '2')
      .send({ error: faults.join(' '), code: 'unavailable' })
  })
}
