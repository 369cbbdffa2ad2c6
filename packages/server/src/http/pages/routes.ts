import type { Pair } from '@kiln/converter/catalog'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refused } from '../../errors.ts'
import { describePairs } from '../formats.ts'
import type { Health } from '../monitoring.ts'
import { type ApiDocument, apiBody } from './api-page.ts'
import { apiPageFiles, appPolicy, type BuiltPages, fileRoutesOfPages, renderPage, sendPage } from './html.ts'
import { type LaneStatus, publicBody, statusBody } from './public-page.ts'

// The pages for people: the web app, `/developers`, the API reference, `/status` and the console, with the files that they load.

export interface PagesParts {
  /** Null when the pages were not built. */
  built: BuiltPages | null
  pairs: readonly Pair[]
  readLaneStates: () => Promise<LaneStatus[]>
  health: Health
  publicUrl: string
  prefix: string
  freeJobsPerMonth: number
  outputTtlSeconds: number
  /** The origin for uploads when that is not this service. */
  uploadOrigin: string | null
}

/** Addresses of the web app; its script decides what to show. */
const appPaths = ['/', '/account', '/sign-in', '/invitation']

export function pageRoutes(app: FastifyInstance, parts: PagesParts): void {
  const hidden = { schema: { hide: true } }
  const pairs = describePairs(parts.pairs)
  fileRoutesOfPages(app)

  for (const path of appPaths)
    app.get(path, hidden, (_request, reply) =>
      parts.built
        ? sendPage(reply, parts.built.app, appPolicy(parts.uploadOrigin))
        : sendNotBuilt(reply, 'The web app', path, parts.prefix),
    )

  app.get<{ Querystring: { q?: unknown } }>('/developers', hidden, (request, reply) => {
    const { q } = request.query
    const query = typeof q === 'string' ? q.slice(0, 100) : ''
    const page = {
      title: 'Kiln for developers: file conversion over HTTP',
      description: `Converts ${pairs.length} pairs of formats: office documents, PDF, Markdown, video.`,
      path: '/developers',
      body: publicBody({ ...parts, pairs }, query),
    }
    return sendPage(reply, renderPage(page, parts.prefix))
  })

  apiPageRoute(app, parts)

  app.get('/status', hidden, async (_request, reply) => {
    const faults = await parts.health.faults()
    // Without a database the page shows only the faults.
    const body = statusBody({ faults, lanes: await parts.readLaneStates().catch(() => null) })
    const page = {
      title: 'Status of Kiln',
      description: 'Can this service take files now?',
      path: '/status',
      body,
    }
    return sendPage(reply.code(faults.length > 0 ? 503 : 200), renderPage(page, parts.prefix))
  })

  const consolePage = (request: FastifyRequest, reply: FastifyReply) => {
    // The console's API has other routes; an unknown one is not a page.
    if (request.url.startsWith('/console/api/'))
      throw refused('not-found', 'There is nothing at this address.')
    return parts.built
      ? sendPage(reply, parts.built.console)
      : sendNotBuilt(reply, 'The console', '/console', parts.prefix)
  }
  app.get('/console', hidden, consolePage)
  app.get('/console/*', hidden, consolePage)
}

function apiPageRoute(app: FastifyInstance, parts: PagesParts): void {
  const path = `${parts.prefix}/docs`
  let html: string | null = null
  app.get(path, { schema: { hide: true } }, (_request, reply) => {
    // The document is complete once every route is registered.
    html ??= renderPage(
      {
        title: 'Kiln API reference',
        description:
          'How to convert files over HTTP: steps, operations, options, errors, and a form to try it.',
        path,
        body: apiBody({ ...parts, document: app.swagger() as unknown as ApiDocument }),
        files: apiPageFiles,
      },
      parts.prefix,
    )
    return sendPage(reply, html, appPolicy(parts.uploadOrigin))
  })
}

function sendNotBuilt(reply: FastifyReply, what: string, path: string, prefix: string): FastifyReply {
  const title = `${what} was not built`
  const body = `<section class="wide"><h1>${title}</h1><p>Run <code>node scripts/setup.mjs</code> where the service is installed, then start it again.</p></section>`
  return sendPage(reply.code(503), renderPage({ title, description: title, path, body }, prefix))
}
