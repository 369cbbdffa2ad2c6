import type { Pair } from '@kiln/converter/catalog'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Console } from '../../console/index.ts'
import { refused } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import { accountRoutes } from '../account-routes.ts'
import { type BrowserApi, createBrowserApi, hidden } from '../browser-api.ts'
import { callerNetwork, createSessionCookie, type SessionCookie } from '../browser-session.ts'
import {
  choice,
  id,
  integer,
  optionalId,
  optionalInteger,
  optionalText,
  optionalTime,
  secret,
  text,
} from '../input.ts'

// The console's private API. Every route except the sign-in needs a session.

export interface ConsoleRoutesParts {
  /** Loaded with the first call. */
  console: () => Promise<Console>
  pairs: readonly Pair[]
  publicUrl: string
  prefix: string
  log: Log
}

export async function consoleRoutes(app: FastifyInstance, parts: ConsoleRoutesParts): Promise<void> {
  const cookie = createSessionCookie('kiln_console', '/console', parts.publicUrl)
  const enter = async (request: FastifyRequest) => {
    const loaded = await parts.console()
    await requireSession(request, cookie, loaded)
    return loaded
  }
  const api = createBrowserApi(app, { ...parts, actor: 'the operator', enter })
  signInRoutes(app, parts, cookie)
  overviewRoutes(api)
  jobRoutes(api)
  accountsRoutes(api)
  accountRoutes(api, {
    prefix: '/accounts/:account',
    accountOf: ({ params }) => id(params, 'account'),
    partsOf: (loaded) => loaded,
  })
}

/** When the session expires; throws 401 when there is no session. */
async function requireSession(request: FastifyRequest, cookie: SessionCookie, { signIn }: Console) {
  const token = cookie.read(request)
  const endsAt = token === null ? null : await signIn.session(token)
  if (endsAt === null) throw refused('unauthenticated', 'Sign in first.')
  return endsAt
}

function signInRoutes(app: FastifyInstance, parts: ConsoleRoutesParts, cookie: SessionCookie): void {
  let hasWarned = false
  const warnOfUntrustedProxy = ({ ip, headers, socket }: FastifyRequest) => {
    if (hasWarned || headers['x-forwarded-for'] === undefined || ip !== socket.remoteAddress) return
    hasWarned = true
    parts.log.warn(
      { address: ip },
      'sign-ins arrive through a proxy that is not trusted, so they all count as one address. Name it in KILN_TRUSTED_PROXIES',
    )
  }
  app.post('/sign-in', { ...hidden, bodyLimit: 4096 }, async (request, reply) => {
    const { signIn } = await parts.console()
    warnOfUntrustedProxy(request)
    const session = await signIn.signIn(secret(request.body, 'password'), callerNetwork(request.ip))
    cookie.set(reply, session)
    return { endsAt: session.endsAt }
  })
  app.post('/sign-out', hidden, async (request, reply) => {
    const token = cookie.read(request)
    if (token) await (await parts.console()).signIn.signOut(token)
    cookie.set(reply, null)
    return {}
  })
  app.get('/session', hidden, async (request) => ({
    endsAt: await requireSession(request, cookie, await parts.console()),
    base: parts.publicUrl + parts.prefix,
    pairs: parts.pairs,
  }))
}

function overviewRoutes({ read }: BrowserApi<Console>): void {
  read('/overview', (_request, { overview }) => overview.now())
  read('/charts', ({ query }, { overview }) =>
    overview.charts(choice(query, 'over', ['hour', 'day', 'month']) ?? 'hour'),
  )
}

function jobRoutes({ read, change }: BrowserApi<Console>): void {
  read('/jobs', ({ query }, { jobs }) => {
    const finishedAt = optionalTime(query, 'before')
    return jobs.list({
      status: choice(query, 'status', ['active', 'queued', 'processing', 'done', 'failed']),
      pair: optionalText(query, 'pair', 100),
      account: optionalId(query, 'account'),
      reason: optionalText(query, 'reason', 100),
      before: finishedAt === null ? null : { finishedAt, id: id(query, 'beforeId') },
    })
  })
  read('/jobs/:id', ({ params }, { jobs }) => jobs.inspect(id(params)))
  change('/jobs/:id/cancel', 'cancelled a job', ({ params }, { jobs }) => jobs.cancel(id(params)))
  change('/jobs/:id/retry', 'retried a job', async ({ params }, { jobs }) => ({
    jobId: await jobs.retry(id(params)),
  }))
}

function accountsRoutes({ read, change }: BrowserApi<Console>): void {
  read('/accounts', ({ query }, { accounts }) =>
    accounts.list(
      optionalText(query, 'search', 200) ?? '',
      optionalInteger(query, 'offset', 0, 1_000_000_000) ?? 0,
    ),
  )
  change('/accounts', 'created an account', ({ body }, { accounts }) =>
    accounts.create(text(body, 'name', 200)),
  )
  change('/accounts/:account/grants', 'granted credits', ({ params, body }, { accounts }) =>
    accounts.grant(
      id(params, 'account'),
      notZero(integer(body, 'amount', -999_999_999, 999_999_999)),
      text(body, 'reason', 500),
    ),
  )
  change('/accounts/:account/invitations', 'invited a user', ({ params }, { accounts }) =>
    accounts.invite(id(params, 'account')),
  )
}

function notZero(amount: number): number {
  if (amount === 0) throw refused('bad-request', '`amount` must not be 0.')
  return amount
}
