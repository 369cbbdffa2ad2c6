import { optionsSchema, type Pair } from '@kiln/converter/catalog'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Console } from '../../console/index.ts'
import { refused } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import { callerNetwork } from './caller-network.ts'
import { requireOwnHost, requireOwnPage, requireSession, setSessionCookie, tokenOf } from './guard.ts'
import {
  choice,
  id,
  integer,
  optionalId,
  optionalInteger,
  optionalObject,
  optionalText,
  optionalTime,
  secret,
  text,
} from './input.ts'

// The console's own interface, for its pages alone. Every route but the sign-in needs a session; every change
// needs to come from our own page and is written to the log.

export interface ConsoleRoutesParts {
  /** Loaded with the first call. */
  console: () => Promise<Console>
  pairs: readonly Pair[]
  publicUrl: string
  prefix: string
  log: Log
}

const mostStyleBytes = 1024 * 1024

type Call = (request: FastifyRequest, console: Console) => Promise<unknown>

export async function consoleRoutes(app: FastifyInstance, parts: ConsoleRoutesParts): Promise<void> {
  const secure = parts.publicUrl.startsWith('https:')
  const hidden = { schema: { hide: true } }
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
    requireOwnHost(request, parts.publicUrl)
    requireOwnPage(request, parts.publicUrl)
  })
  // A change without arguments needs no body.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, {})
    try {
      done(null, JSON.parse(body as string))
    } catch {
      done(refused('bad-request', 'The body is not valid JSON.'))
    }
  })

  let told = false
  const tellOfUntrustedProxy = ({ ip, headers, socket }: FastifyRequest) => {
    if (told || headers['x-forwarded-for'] === undefined || ip !== socket.remoteAddress) return
    told = true
    parts.log.warn(
      { address: ip },
      'a proxy that is not trusted passes sign-ins on: they all count as one address. Name it in KILN_TRUSTED_PROXIES',
    )
  }
  app.post('/sign-in', { ...hidden, bodyLimit: 4096 }, async (request, reply) => {
    const { signIn } = await parts.console()
    tellOfUntrustedProxy(request)
    const session = await signIn.signIn(secret(request.body, 'password'), callerNetwork(request.ip))
    setSessionCookie(reply, session, secure)
    return { endsAt: session.endsAt }
  })
  app.post('/sign-out', hidden, async (request, reply) => {
    const token = tokenOf(request)
    if (token) await (await parts.console()).signIn.signOut(token)
    setSessionCookie(reply, null, secure)
    return {}
  })

  const guarded = (call: Call) => async (request: FastifyRequest) => {
    const loaded = await parts.console()
    await requireSession(request, loaded.signIn)
    return call(request, loaded)
  }
  const read = (path: string, call: Call) => app.get(path, hidden, guarded(call))
  const change = (path: string, what: string, call: Call) =>
    app.post(
      path,
      { ...hidden, bodyLimit: 16 * 1024 },
      guarded(async (request, loaded) => {
        const answer = await call(request, loaded)
        parts.log.info({ requestId: request.id, ...(request.params as object) }, `the operator ${what}`)
        return answer ?? {}
      }),
    )

  app.get('/session', hidden, async (request) => ({
    endsAt: await requireSession(request, (await parts.console()).signIn),
    base: parts.publicUrl + parts.prefix,
    pairs: parts.pairs.map(({ slug, label, from, to, engine, lane, maxBytes, credits }) => ({
      ...{ slug, label, from, to, engine, lane, maxBytes, credits },
    })),
  }))

  read('/overview', (_request, { overview }) => overview.now())
  read('/charts', ({ query }, { overview }) =>
    overview.charts(choice(query, 'over', ['hour', 'day', 'month']) ?? 'hour'),
  )

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

  read('/accounts', ({ query }, { accounts }) =>
    accounts.list(
      optionalText(query, 'search', 200) ?? '',
      optionalInteger(query, 'offset', 0, 1_000_000_000) ?? 0,
    ),
  )
  read('/accounts/:id', ({ params }, { accounts }) => accounts.show(id(params)))
  read('/accounts/:id/ledger', ({ params, query }, { accounts }) =>
    accounts.ledger(id(params), optionalInteger(query, 'before', 0, Number.MAX_SAFE_INTEGER)),
  )
  change('/accounts', 'made an account', ({ body }, { accounts }) => accounts.create(text(body, 'name', 200)))
  change('/accounts/:id/grants', 'granted credits', ({ params, body }, { accounts }) =>
    accounts.grant(
      id(params),
      notZero(integer(body, 'amount', -999_999_999, 999_999_999)),
      text(body, 'reason', 500),
    ),
  )
  change('/accounts/:id/keys', 'made a key', ({ params }, { accounts }) => accounts.createKey(id(params)))
  change('/keys/:id/rotate', 'rotated a key', ({ params, body }, { accounts }) =>
    accounts.rotateKey(id(params), integer(body, 'overlapSeconds', 0, 90 * 86_400)),
  )
  change('/keys/:id/revoke', 'revoked a key', ({ params }, { accounts }) => accounts.revokeKey(id(params)))

  read('/accounts/:id/webhook', ({ params, query }, { webhooks }) =>
    webhooks.show(id(params), optionalId(query, 'before')),
  )
  change('/accounts/:id/webhook', 'set a webhook', ({ params, body }, { webhooks }) =>
    webhooks.set(id(params), text(body, 'url', 2000)),
  )
  change(
    '/accounts/:id/webhook/rotate',
    'rotated the secret of a webhook',
    ({ params, body }, { webhooks }) =>
      webhooks.rotate(id(params), integer(body, 'overlapSeconds', 0, 90 * 86_400)),
  )
  change('/accounts/:id/webhook/remove', 'removed a webhook', ({ params }, { webhooks }) =>
    webhooks.remove(id(params)),
  )
  change('/deliveries/:id/send-again', 'sent an event again', ({ params }, { webhooks }) =>
    webhooks.sendAgain(id(params)),
  )

  read('/accounts/:id/style', async ({ params }, { styles }) => ({ style: await styles.find(id(params)) }))
  change('/accounts/:id/style/remove', 'took away a house style', ({ params, body }, { styles }) =>
    styles.remove(id(params), [stylePart(body)]),
  )

  change('/try', 'tried a conversion', ({ body }, { tryIt }) =>
    tryIt.submit(
      text(body, 'pair', 100),
      integer(body, 'bytes', 0, Number.MAX_SAFE_INTEGER),
      optionalObject(body, 'options'),
    ),
  )
  read('/options/:pair', async ({ params }) => {
    const wanted = text(params, 'pair', 100)
    const pair = parts.pairs.find(({ slug }) => slug === wanted)
    if (!pair) throw refused('not-found', 'There is no such pair.')
    return optionsSchema(pair)
  })
  read('/try/:id', ({ params }, { tryIt }) => tryIt.look(id(params)))
  await app.register(async (scope) => {
    // The body is the file, and small.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.addHook('onRequest', async ({ headers }) => {
      if (Number(headers['content-length'] ?? 0) > mostStyleBytes)
        throw refused('bad-request', 'The file is larger than 1 MB. Give a smaller one.')
    })
    scope.put(
      '/accounts/:id/style/:part',
      { ...hidden, bodyLimit: mostStyleBytes },
      guarded(async ({ params, body, id: requestId }, { styles }) => {
        const file = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        const style = await styles.set(id(params), { [stylePart(params)]: file })
        parts.log.info({ requestId, ...(params as object) }, 'the operator set a house style')
        return { style }
      }),
    )
  })
  await app.register(async (scope) => {
    // The body is the file: nothing parses it.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.put(
      '/try/:id/file',
      { ...hidden, bodyLimit: Number.MAX_SAFE_INTEGER },
      guarded(async (request, { tryIt }) => {
        const contentLength = integer(request.headers, 'content-length', 0, Number.MAX_SAFE_INTEGER)
        await tryIt.upload({ jobId: id(request.params), contentLength, body: request.raw })
        return {}
      }),
    )
  })
}

function stylePart(fields: unknown): 'css' | 'reference' {
  const part = choice(fields, 'part', ['css', 'reference'])
  if (part === null) throw refused('bad-request', '`part` must be css or reference.')
  return part
}

function notZero(amount: number): number {
  if (amount === 0) throw refused('bad-request', '`amount` must not be 0.')
  return amount
}
