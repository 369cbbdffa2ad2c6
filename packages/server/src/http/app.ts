import { randomUUID } from 'node:crypto'
import type { WorkerPool } from '@kiln/converter/worker-pool'
import Fastify, { type FastifyInstance } from 'fastify'
import type { AcceptUpload } from '../conversions/accept-upload.ts'
import type { Storage } from '../storage/storage.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { Admission } from './admission.ts'
import { agentToolsRoute } from './agent-tools.ts'
import { registerApiDescription } from './api-description.ts'
import { type AppRoutesParts, appRoutes } from './app/routes.ts'
import { requireBodyPace } from './body-pace.ts'
import { type ConsoleRoutesParts, consoleRoutes } from './console/routes.ts'
import { createErrorHandler, pathOf, rawErrorAnswer } from './errors.ts'
import { fileRoutes } from './file-routes.ts'
import { formatsRoute, pairRoute } from './formats.ts'
import { type JobFilesAccess, jobFilesRoute } from './job-files.ts'
import { deleteRoute, type JobRoutesParts, pollRoute, reportRoute } from './job-routes.ts'
import { lazySerializers } from './lazy-serializers.ts'
import { healthRoutes, metricsRoute } from './monitoring.ts'
import { readBuiltPages } from './pages/html.ts'
import { type PagesParts, pageRoutes } from './pages/routes.ts'
import { answerExpectations, findAmbiguousHeader, findUnknownExpectation } from './request-headers.ts'
import { allSchemas } from './schemas.ts'
import { submitRoute } from './submit.ts'
import { answerUnknownRoutes } from './unknown-route.ts'
import { usageRoute } from './usage.ts'

export interface AppParts
  extends ConsoleRoutesParts,
    Omit<AppRoutesParts, 'submitJob'>,
    Omit<PagesParts, 'built'>,
    Omit<JobRoutesParts, 'rate'> {
  admission: Admission
  storage: Storage
  /** For bodies and outputs whose size a caller controls. */
  workers: WorkerPool
  /** Null when clients upload to a bucket. */
  acceptUpload: AcceptUpload | null
  isStopping: () => boolean
  metrics: Metrics
  tracing: Tracing
  metricsToken: string | null
  /** For workers without credentials for the bucket; null when there are none. */
  jobFiles: JobFilesAccess | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The job that the request is about, for the log. */
    jobId: string
  }
}

// Registers every route and plugin of the service.
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const answerError = createErrorHandler(parts.log)
  const app = Fastify({
    // Fastify's own logging creates a logger for every request. The hooks below log the requests that matter.
    logger: false,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 4096 },
    // Closes idle sockets; a slow upload is not idle. Long polls are much shorter.
    connectionTimeout: 120_000,
    // The largest upload at the minimum rate takes about this long; body-pace.ts ends slower ones much earlier.
    requestTimeout: 48 * 3_600_000,
    forceCloseConnections: 'idle',
    // Requests that arrive during shutdown are answered normally: everything they need is closed later.
    return503OnClosing: false,
    // Values of a client are validated unchanged, without coercion.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    schemaController: { compilersFactory: { buildSerializer: lazySerializers } },
    // Only these proxies may set a client's address, by which sign-ins are counted.
    trustProxy: parts.trustedProxies.length > 0 ? [...parts.trustedProxies] : false,
    // A missing Host header is refused below, with the error body.
    http: { requireHostHeader: false },
    frameworkErrors: answerError,
    clientErrorHandler: (error, socket) => {
      if (socket.writable) socket.end(rawErrorAnswer((error as NodeJS.ErrnoException).code, randomUUID()))
      else socket.destroy()
    },
  })
  app.setErrorHandler(answerError)
  app.addHook('onRequest', ({ id, raw }, reply, done) => {
    reply.header('request-id', id)
    done(findAmbiguousHeader(raw) ?? findUnknownExpectation(raw))
  })
  requireBodyPace(app, isUpload)
  answerUnknownRoutes(app)
  app.decorateRequest('jobId', '')
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // A connection that a client keeps open would delay the shutdown.
    if (parts.isStopping()) reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime } = reply
    const route = request.routeOptions.url ?? 'unknown'
    parts.metrics.httpRequest(route, request.method, status, elapsedTime / 1000)
    const level = status >= 500 ? 'error' : status >= 400 ? 'info' : 'debug'
    if (parts.log.isLevelEnabled(level)) {
      const { id: requestId, method, jobId } = request
      const about = { requestId, ...(jobId ? { jobId } : {}), method, path: pathOf(request), status }
      parts.log[level]({ ...about, ms: Math.round(elapsedTime) }, 'request')
    }
    done()
  })
  answerExpectations(app.server, ({ url }) => isUpload(url ?? ''))
  for (const schema of allSchemas) app.addSchema(schema)

  await registerApiDescription(app, parts)
  healthRoutes(app, parts.health)
  metricsRoute(app, parts.metrics, { token: parts.metricsToken, publicUrl: parts.publicUrl })
  if (parts.jobFiles) jobFilesRoute(app, parts.jobFiles)
  pageRoutes(app, { ...parts, built: await readBuiltPages() })
  await app.register((scope) => consoleRoutes(scope, parts), { prefix: '/console/api' })
  const { keys, submitJob, pollRate, cpuBudget } = parts.admission
  await app.register((scope) => appRoutes(scope, { ...parts, submitJob }), { prefix: '/app/api' })
  await app.register(
    async (api) => {
      const jobParts = { ...parts, rate: pollRate }
      formatsRoute(api, parts.pairs)
      pairRoute(api, parts.pairs)
      submitRoute(api, { keys, submitJob })
      pollRoute(api, jobParts)
      reportRoute(api, jobParts)
      await api.register(async (scope) => deleteRoute(scope, jobParts))
      usageRoute(api, jobParts)
      await api.register(async (scope) => agentToolsRoute(scope, { ...jobParts, keys, cpuBudget }))
    },
    { prefix: parts.prefix },
  )
  await app.register(async (scope) => fileRoutes(scope, parts))
  return app
}

const isUpload = (url: string): boolean => url.startsWith('/files/')
