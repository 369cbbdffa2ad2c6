import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Config } from '../config/config.ts'
import { toAnswer } from '../http/errors.ts'
import { requireAccess } from '../http/metrics.ts'
import type { Metrics } from '../telemetry/metrics.ts'

// A worker has no HTTP server; with KILN_METRICS_PORT it serves /metrics, under the same conditions as the API, and
// /healthz.

export interface ServeMetricsParts {
  config: Config
  metrics: Metrics
  port: number
}

/** Returns the function that stops it. */
export async function serveMetrics({
  config,
  metrics,
  port,
}: ServeMetricsParts): Promise<() => Promise<void>> {
  const access = { token: config.metricsToken, publicUrl: config.publicUrl }
  const server = createServer(async (request, response) => {
    try {
      const path = request.url?.split('?', 1)[0]
      if (path === '/healthz') return response.end('{"status":"ok"}')
      if (path !== '/metrics') return response.writeHead(404).end()
      requireAccess(request, access)
      const text = await metrics.render()
      return response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
    } catch (error) {
      const { status, body, headers } = toAnswer(error)
      return response
        .writeHead(status, { ...headers, 'content-type': 'application/json' })
        .end(JSON.stringify(body))
    }
  })
  const { host, listeningDescriptor } = config
  server.listen(listeningDescriptor === null ? { port, host } : { fd: listeningDescriptor })
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}
