import { randomUUID } from 'node:crypto'
import type { Pair } from '@kiln/converter/catalog'
import type { WorkerPool } from '@kiln/converter/worker-pool'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Console } from '../console/index.ts'
import type { AcceptUpload } from '../conversions/accept-upload.ts'
import type { Delete } from '../conversions/delete.ts'
import type { Read } from '../conversions/read.ts'
import type { Settlements } from '../conversions/wait-for-end.ts'
import type { Log } from '../log/log.ts'
import type { Storage } from '../storage/storage.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { WebApp } from '../web/index.ts'
import type { Admission } from './admission.ts'
import { agentToolsRoute } from './agent-tools.ts'
import { findAmbiguousHeader } from './ambiguous-headers.ts'
import { registerApiDescription } from './api-description.ts'
import { appRoutes } from './app/routes.ts'
import { requireBodyPace } from './body-pace.ts'
import { consoleRoutes } from './console/routes.ts'
import { deleteRoute } from './delete.ts'
import { downloadRoute } from './download.ts'
import { createErrorHandler, pathOf, rawErrorAnswer } from './errors.ts'
import { answerExpectations, findUnknownExpectation } from './expectations.ts'
import { formatsRoute, pairRoute } from './formats.ts'
import { type Health, healthRoutes } from './health.ts'
import { type JobFilesAccess, jobFilesRoute } from './job-files.ts'
import { lazySerializers } from './lazy-serializers.ts'
import { metricsRoute } from './metrics.ts'
import { readBuiltPages } from './pages/files.ts'
import { pageRoutes } from './pages/routes.ts'
import type { LaneStatus } from './pages/status-page.ts'
import { pollRoute } from './poll.ts'
import { reportRoute } from './report.ts'
import { allSchemas } from './schemas.ts'
import { submitRoute } from './submit.ts'
import { answerUnknownRoutes } from './unknown-route.ts'
import { uploadRoute } from './upload.ts'
import { usageRoute } from './usage.ts'

export interface AppParts {
  pairs: readonly Pair[]
  admission: Admission
  read: Read
  deleteConversion: Delete
  settlements: Settlements
  /** The state of each lane, for the status page. */
  readLaneStates: () => Promise<LaneStatus[]>
  storage: Storage
  /** For bodies and outputs whose size a caller controls. */
  workers: WorkerPool
  /** Null when clients upload to a bucket. */
  acceptUpload: AcceptUpload | null
  health: Health
  isStopping: () => boolean
  log: Log
  metrics: Metrics
  tracing: Tracing
  /** Loads the operator console. */
  console: () => Promise<Console>
  /** Loads the web app's functions. */
  webApp: () => Promise<WebApp>
  /** The origin for uploads when that is not this service. */
  uploadOrigin: string | null
  userHeader: string | null
  guestAccess: boolean
  guestMaxBytes: number
  prefix: string
  publicUrl: string
  trustedProxies: readonly string[]
  freeJobsPerMonth: number
  outputTtlSeconds: number
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
    const { statusCode: status } = reply
    const { elapsedTime } = reply
    parts.metrics.httpRequest(
      request.routeOptions.url ?? 'unknown',
      request.method,
      status,
      elapsedTime / 1000,
    )
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
      formatsRoute(api, parts.pairs)
      pairRoute(api, parts.pairs)
      submitRoute(api, { keys, submitJob })
      pollRoute(api, { ...parts, rate: pollRate })
      reportRoute(api, { ...parts, rate: pollRate })
      await api.register(async (scope) => deleteRoute(scope, { ...parts, rate: pollRate }))
      usageRoute(api, { ...parts, rate: pollRate })
      await api.register(async (scope) =>
        agentToolsRoute(scope, { ...parts, keys, rate: pollRate, cpuBudget }),
      )
    },
    { prefix: parts.prefix },
  )
  await app.register(async (scope) => fileRoutes(scope, parts))
  return app
}

const isUpload = (url: string): boolean => url.startsWith('/files/')

function fileRoutes(app: FastifyInstance, { storage, acceptUpload }: AppParts): void {
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
