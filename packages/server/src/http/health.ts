import type { FastifyInstance } from 'fastify'

// /healthz: the process is alive. /readyz: it can accept requests now; it fails first when the process drains, so that
// a load balancer stops sending requests.

export interface Health {
  /** What is wrong; empty when the process is ready. */
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
