import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import type { WorkerPool } from '@kiln/converter/worker-pool'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { CompatApi } from '../config/settings.ts'
import { type BodyBudget, createBodyBudget } from '../http/body-budget.ts'
import { requireBodyPace } from '../http/body-pace.ts'
import type { CpuBudget } from '../http/cpu-budget.ts'
import { pathOf, rawErrorAnswer } from '../http/errors.ts'
import type { KeyCache } from '../http/key-cache.ts'
import { findAmbiguousHeader } from '../http/request-headers.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Send } from '../webhooks/send.ts'
import type { Jobs } from './convert.ts'
import { doclingRoutes } from './docling.ts'
import { answerText } from './errors.ts'
import { gotenbergRoutes } from './gotenberg/routes.ts'
import { processRoute } from './open-webui.ts'
import { requireKey } from './request.ts'
import { openRequestFolders } from './request-folders.ts'
import { tikaRoutes } from './tika.ts'

// The APIs of other services, on a separate port, at the paths that their clients expect. Each is a translation: their
// conversions are ordinary jobs (convert.ts).

export interface CompatParts {
  apis: readonly CompatApi[]
  jobs: Jobs
  keys: KeyCache
  workers: WorkerPool
  cpuBudget: CpuBudget
  /** Key of the account for callers without a key. */
  defaultKey: string | null
  /** Maximum size of one request. */
  maxBytes: number
  bodies: BodyBudget
  /** For files of requests in progress; created on first use. */
  folder: () => Promise<string>
  /** Sends the webhooks that requests ask for; `checkUrl` throws for addresses that are not allowed. */
  webhooks: { send: Send; checkUrl(url: string): void }
  /** Faults of the service; empty when it works. */
  faults: () => Promise<string[]>
  log: Log
  metrics: Metrics
}

export interface CompatAppParts extends Omit<CompatParts, 'bodies' | 'folder'> {
  dataDir: string
  trustedProxies: readonly string[]
  isStopping: () => boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Runs the work when the response has been sent or the caller has disconnected. */
    afterResponse(work: () => Promise<void>): void
  }
}

/** Requests of one account, and of all accounts, may hold this many times the maximum size of a request. */
const heldPerAccount = 8
const heldInAll = 32

export async function createCompatApp(given: CompatAppParts): Promise<FastifyInstance> {
  const { log, metrics } = given
  const folders = await openRequestFolders(given.dataDir)
  const underWay = new Set<Promise<void>>()
  const bodies = createBodyBudget(given.maxBytes * heldPerAccount, given.maxBytes * heldInAll)
  const parts: CompatParts = { ...given, bodies, folder: folders.folder }
  const app = Fastify({
    logger: false,
    genReqId: () => randomUUID(),
    // A conversion may take longer than any fixed time; body-pace.ts ends requests whose body arrives too slowly.
    connectionTimeout: 0,
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 4096 },
    trustProxy: given.trustedProxies.length > 0 ? [...given.trustedProxies] : false,
    clientErrorHandler: (error, socket) => {
      if (socket.writable) socket.end(rawErrorAnswer((error as NodeJS.ErrnoException).code, randomUUID()))
      else socket.destroy()
    },
  })
  app.setErrorHandler((error, request, reply) => answerText(log, error, request, reply))
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).header('content-type', 'text/plain; charset=UTF-8').send('Not Found'),
  )
  requireBodyPace(app)
  // The routes read bodies as streams.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.decorateRequest('afterResponse', null as never)
  app.addHook('onRequest', (request, reply, done) => {
    let isOver = false
    request.afterResponse = (work) => {
      reply.raw.once('close', () => {
        if (isOver) return
        isOver = true
        const task = work()
          .catch((error: unknown) => log.warn({ err: error, requestId: request.id }, 'cleaning up'))
          .finally(() => underWay.delete(task))
        underWay.add(task)
      })
    }
    reply.header('gotenberg-trace', traceOf(request.headers['gotenberg-trace']) ?? request.id)
    if (given.isStopping()) reply.header('connection', 'close')
    done(findAmbiguousHeader(request.raw))
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { elapsedTime, statusCode: status } = reply
    const route = request.routeOptions.url ?? 'unknown'
    metrics.httpRequest(route, request.method, status, elapsedTime / 1000)
    const level = status >= 500 ? 'error' : 'info'
    const trace = reply.getHeader('gotenberg-trace')
    const about = {
      requestId: request.id,
      correlation_id: trace,
      method: request.method,
      path: pathOf(request),
    }
    log[level]({ ...about, status, ms: Math.round(elapsedTime) }, 'compatibility request')
    done()
  })
  app.addHook('onClose', async () => {
    // Requests with a webhook continue after their response.
    await Promise.all(underWay)
    await folders.remove()
  })
  statusRoutes(app, parts)
  if (parts.apis.includes('gotenberg')) await app.register(async (scope) => gotenbergRoutes(scope, parts))
  if (parts.apis.includes('tika')) await app.register(async (scope) => tikaRoutes(scope, parts))
  if (parts.apis.includes('docling')) {
    await app.register(async (scope) => doclingRoutes(scope, parts))
    await app.register(async (scope) => processRoute(scope, parts))
  }
  return app
}

/** The value is echoed and logged, so it must be short and contain only plain characters. */
const traceOf = (given: string | string[] | undefined): string | undefined =>
  typeof given === 'string' && /^[\x21-\x7e]{1,200}$/.test(given) ? given : undefined

// Health and version, which every client queries first.

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

function statusRoutes(app: FastifyInstance, parts: CompatParts): void {
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
