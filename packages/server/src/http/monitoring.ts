import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { refused } from '../errors.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { hasBearerToken } from './authenticate.ts'

// GET /metrics. With KILN_METRICS_TOKEN set, that token is required. Without it, only requests from this machine are
// answered: the connection must come from loopback, the Host must be a loopback name, and the settings must bind the
// service to this machine. A reverse proxy on this machine also connects from loopback on behalf of any client; the
// last two conditions exclude it.

export interface MetricsAccess {
  token: string | null
  publicUrl: string
}

export function metricsRoute(app: FastifyInstance, metrics: Metrics, access: MetricsAccess): void {
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    requireAccess(request.raw, access)
    return reply
      .header('content-type', metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.render())
  })
}

export function requireAccess(request: IncomingMessage, { token, publicUrl }: MetricsAccess): void {
  if (token !== null) {
    if (hasBearerToken(request, token)) return
    throw refused('unauthenticated', 'Metrics need the token of KILN_METRICS_TOKEN as a bearer token.', {
      'www-authenticate': 'Bearer realm="kiln metrics"',
    })
  }
  if (!isLocal(request) || !isLoopbackName(new URL(publicUrl).hostname)) {
    throw refused(
      'forbidden',
      'Metrics are for this machine alone. To read them from elsewhere, set KILN_METRICS_TOKEN.',
    )
  }
}

function isLocal({ socket, headers }: IncomingMessage): boolean {
  const from = socket.remoteAddress ?? ''
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => name in headers)
  if (isForwarded || !/^(127\.|::1$|::ffff:127\.)/.test(from)) return false
  return URL.canParse(`http://${headers.host}`) && isLoopbackName(new URL(`http://${headers.host}`).hostname)
}

const isLoopbackName = (name: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(name)

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
