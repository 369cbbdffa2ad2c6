import { formats, optionFields, type Pair } from '@kiln/converter/catalog'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refused } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import type { WebApp } from '../../web/index.ts'
import { accountRoutes } from '../account-routes.ts'
import type { SubmitJob } from '../admission.ts'
import { type BrowserApi, createBrowserApi } from '../browser-api.ts'
import { callerNetwork, createSessionCookie } from '../browser-session.ts'
import { id, integer, optionalInteger, optionalObject, text } from '../input.ts'
import { createVisitorOf, type Entry, signInRoutes } from './sign-in-routes.ts'

// The web app's private API: conversions by session, and the account of the user.

export interface AppRoutesParts {
  /** Loaded with the first call. */
  webApp: () => Promise<WebApp>
  submitJob: SubmitJob
  pairs: readonly Pair[]
  publicUrl: string
  trustedProxies: readonly string[]
  userHeader: string | null
  guestAccess: boolean
  guestMaxBytes: number
  log: Log
}

export async function appRoutes(app: FastifyInstance, parts: AppRoutesParts): Promise<void> {
  const cookie = createSessionCookie('kiln_session', '/app', parts.publicUrl)
  const visitorOf = createVisitorOf({ ...parts, cookie })
  const enter = async (request: FastifyRequest): Promise<Entry> => {
    const loaded = await parts.webApp()
    return { app: loaded, visitor: await visitorOf.require(request, loaded) }
  }
  const api = createBrowserApi(app, { ...parts, actor: 'a user', enter })
  signInRoutes(app, api, { ...parts, cookie, visitorOf })
  conversionRoutes(api, parts)
  userRoutes(api)
}

function conversionRoutes({ read, post, change }: BrowserApi<Entry>, parts: AppRoutesParts): void {
  const { pairs, submitJob } = parts
  read('/formats', async () => ({ formats: formatsOf(pairs), pairs: pairsOf(pairs) }))
  read('/options/:pair', async ({ params }) => {
    const wanted = text(params, 'pair', 100)
    const pair = pairs.find(({ slug }) => slug === wanted)
    if (!pair) throw refused('not-found', 'There is no such pair.')
    return { fields: optionFields(pair) }
  })
  post('/jobs', (request, { app, visitor }) => {
    const { body } = request
    const order = {
      pair: text(body, 'pair', 100),
      bytes: integer(body, 'bytes', 0, Number.MAX_SAFE_INTEGER),
      options: optionalObject(body, 'options'),
      key: text(body, 'key', 100),
    }
    const span = {
      parent: null,
      attributes: { 'kiln.pair': order.pair, 'kiln.bytes': order.bytes, 'kiln.request': request.id },
    }
    const submitAs = async (keyHash: Buffer, { idempotencyKey }: { idempotencyKey: string }) => {
      const { outcome, result } = await submitJob({ ...order, keyHash, idempotencyKey, span })
      request.jobId = result.jobId
      return { isNew: outcome === 'created', result }
    }
    return app.conversions.submit(submitAs, visitor, callerNetwork(request.ip), order)
  })
  // POST, because the names of up to 200 files do not fit into a URL, and must not appear in a log.
  post('/jobs/look', async ({ body }, { app, visitor }) => ({
    jobs: await app.conversions.look(visitor, namesOf(optionalObject(body, 'names') ?? {})),
  }))
  read('/jobs/:id/report', ({ params }, { app, visitor }) => app.conversions.report(visitor, id(params)))
  change('/jobs/:id/remove', 'removed a job', ({ params }, { app, visitor }) =>
    app.conversions.remove(visitor, id(params)),
  )
}

function userRoutes(api: BrowserApi<Entry>): void {
  const accountOf = (_request: FastifyRequest, { visitor }: Entry) => {
    if (!visitor.user) throw refused('forbidden', 'Guests have no account page. Sign in to see it.')
    return visitor.accountId
  }
  accountRoutes(api, { prefix: '/account', accountOf, partsOf: ({ app }) => app })
  api.read('/account/jobs', (request, entry) =>
    entry.app.account.jobs(
      accountOf(request, entry),
      optionalInteger(request.query, 'before', 0, Number.MAX_SAFE_INTEGER),
    ),
  )
}

const formatsOf = (pairs: readonly Pair[]) => {
  const names = new Set(pairs.flatMap(({ from, to }) => [from, to]))
  return [...names].map((name) => {
    const { label, extension } = formats[name]
    return { name, label, extension }
  })
}

const pairsOf = (pairs: readonly Pair[]) =>
  pairs.map(({ slug, from, to, maxBytes, credits }) => ({ slug, from, to, maxBytes, credits }))

const maxNames = 200

/** The names of downloads by job id, without characters that a file name cannot contain. */
function namesOf(given: Record<string, unknown>): Map<string, string> {
  return new Map(
    Object.entries(given)
      .slice(0, maxNames)
      .map(([jobId, name]) => [jobId, safeName(name) || jobId]),
  )
}

const safeName = (name: unknown): string =>
  typeof name === 'string'
    ? name
        .toWellFormed()
        .replaceAll(/[\p{Cc}\p{Cf}\\/:*?"<>|]/gu, '_')
        .slice(0, 150)
        .trim()
    : ''
