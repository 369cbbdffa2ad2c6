import type { FastifyRequest } from 'fastify'
import { refused } from '../errors.ts'
import type { HouseStyles } from '../house-styles/house-styles.ts'
import type { AccountView } from '../web/account-view.ts'
import type { BrowserApi } from './browser-api.ts'
import { choice, id, integer, optionalId, optionalInteger, text } from './input.ts'

// One account: its usage, ledger, keys, webhook and house style. The operator reaches every account, a user of the
// web app its own.

export interface AccountRoutesParts<Context> {
  prefix: string
  accountOf: (request: FastifyRequest, context: Context) => string
  partsOf: (context: Context) => { account: AccountView; styles: HouseStyles }
}

const longestOverlapSeconds = 90 * 86_400

export function accountRoutes<Context>(
  { read, change, putFile }: BrowserApi<Context>,
  { prefix, accountOf, partsOf }: AccountRoutesParts<Context>,
): void {
  const overlap = (body: unknown) => integer(body, 'overlapSeconds', 0, longestOverlapSeconds)
  const view = (context: Context) => partsOf(context).account

  read(prefix, (request, context) => view(context).show(accountOf(request, context)))
  read(`${prefix}/ledger`, (request, context) =>
    view(context).ledger(
      accountOf(request, context),
      optionalInteger(request.query, 'before', 0, Number.MAX_SAFE_INTEGER),
    ),
  )

  change(`${prefix}/keys`, 'created a key', (request, context) =>
    view(context).createKey(accountOf(request, context)),
  )
  change(`${prefix}/keys/:id/rotate`, 'rotated a key', (request, context) =>
    view(context).rotateKey(accountOf(request, context), id(request.params), overlap(request.body)),
  )
  change(`${prefix}/keys/:id/revoke`, 'revoked a key', (request, context) =>
    view(context).revokeKey(accountOf(request, context), id(request.params)),
  )

  read(`${prefix}/webhook`, (request, context) =>
    view(context).webhook(accountOf(request, context), optionalId(request.query, 'before')),
  )
  change(`${prefix}/webhook`, 'set a webhook', (request, context) =>
    view(context).setWebhook(accountOf(request, context), text(request.body, 'url', 2000)),
  )
  change(`${prefix}/webhook/rotate`, 'rotated the secret of a webhook', (request, context) =>
    view(context).rotateWebhook(accountOf(request, context), overlap(request.body)),
  )
  change(`${prefix}/webhook/remove`, 'removed a webhook', (request, context) =>
    view(context).removeWebhook(accountOf(request, context)),
  )
  change(`${prefix}/deliveries/:id/send-again`, 'sent an event again', (request, context) =>
    view(context).sendAgain(accountOf(request, context), id(request.params)),
  )

  read(`${prefix}/style`, async (request, context) => ({
    style: await partsOf(context).styles.find(accountOf(request, context)),
  }))
  change(`${prefix}/style/remove`, 'removed a house style', (request, context) =>
    partsOf(context).styles.remove(accountOf(request, context), [stylePart(request.body)]),
  )
  putFile(`${prefix}/style/:part`, 'set a house style', async (request, context, file) => ({
    style: await partsOf(context).styles.set(accountOf(request, context), {
      [stylePart(request.params)]: file,
    }),
  }))
}

function stylePart(fields: unknown): 'css' | 'reference' {
  const part = choice(fields, 'part', ['css', 'reference'])
  if (part === null) throw refused('bad-request', '`part` must be css or reference.')
  return part
}
