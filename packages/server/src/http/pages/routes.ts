import type { Pair } from '@kiln/converter/catalog'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refused } from '../../errors.ts'
import { describePairs } from '../formats.ts'
import type { Health } from '../health.ts'
import { fileRoutesOfPages } from './files.ts'
import { renderPage, sendPage } from './html.ts'
import { publicBody } from './public-page.ts'
import { type LaneStatus, statusBody } from './status-page.ts'

// The pages for people: `/`, `/status` and the console's frame, with the files that they load.

export interface PagesParts {
  /** Null when the console was not built. */
  consoleHtml: string | null
  pairs: readonly Pair[]
  readLaneStates: () => Promise<LaneStatus[]>
  health: Health
  publicUrl: string
  prefix: string
  freeJobsPerMonth: number
  outputTtlSeconds: number
}

export function pageRoutes(app: FastifyInstance, parts: PagesParts): void {
  const hidden = { schema: { hide: true } }
  const pairs = describePairs(parts.pairs)
  fileRoutesOfPages(app)

  app.get<{ Querystring: { q?: unknown } }>('/', hidden, (request, reply) => {
    const { q } = request.query
    const query = typeof q === 'string' ? q.slice(0, 100) : ''
    const page = {
      title: 'Kiln: file conversion over HTTP',
      description: `Converts ${pairs.length} pairs of formats: office documents, PDF, Markdown, video.`,
      path: '/',
      body: publicBody({ ...parts, pairs }, query),
    }
    return sendPage(reply, renderPage(page, parts.prefix))
  })

  app.get('/status', hidden, async (_request, reply) => {
    const faults = await parts.health.faults()
    const body = statusBody({ faults, lanes: await parts.readLaneStates().catch(() => null) })
    const page = {
      title: 'Status of Kiln',
      description: 'Can this service take files now?',
      path: '/status',
      body,
    }
    return sendPage(reply.code(faults.length > 0 ? 503 : 200), renderPage(page, parts.prefix))
  })

  const consoleFrame = (request: FastifyRequest, reply: FastifyReply) => {
    // The console's own interface is elsewhere; what it does not know is not a page.
    if (request.url.startsWith('/console/api/'))
      throw refused('not-found', 'There is nothing at this address.')
    if (parts.consoleHtml) return sendPage(reply, parts.consoleHtml)
    const body =
      '<section class="wide"><h1>The console was not built</h1><p>Run <code>node scripts/setup.mjs</code> where the service is installed, then start it again.</p></section>'
    const page = { title: 'Kiln console', description: 'The console was not built.', path: '/console', body }
    return sendPage(reply.code(503), renderPage(page, parts.prefix))
  }
  app.get('/console', hidden, consoleFrame)
  app.get('/console/*', hidden, consoleFrame)
}
