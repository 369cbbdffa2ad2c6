import type { Command } from 'commander'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { id, text } from './argument-kinds.ts'
import { parseDuration } from './duration.ts'
import type { Printer } from './output.ts'

export interface WebhookCommandsParts {
  withWebhooks: (work: (webhooks: Webhooks) => Promise<void>) => Promise<void>
  printer: (json: boolean) => Printer
}

const shownDeliveries = 50

/** The commands for webhooks, which notify accounts of the ends of their jobs. */
export function addWebhookCommands(program: Command, { withWebhooks, printer }: WebhookCommandsParts): void {
  const json = ['--json', 'print JSON'] as const
  const account = ['--account <id>', 'whose', id] as const
  const webhook = program.command('webhook').description('notify an account of the ends of its jobs')
  webhook
    .command('set')
    .requiredOption(...account)
    .requiredOption('--url <url>', 'where events are sent', text(2000))
    .option(...json)
    .action((options) =>
      withWebhooks(async (webhooks) => {
        const { webhook: set, secret } = await webhooks.set(options.account, options.url)
        printer(options.json).one(
          { webhook: set, secret },
          secret
            ? `Events go to ${set.url}\nTheir secret, shown once:\n${secret}`
            : `Events go to ${set.url}; the secret is the same as before.`,
        )
      }),
    )
  webhook
    .command('rotate')
    .requiredOption(...account)
    .option('--overlap <time>', 'how long the old secret signs too, like 90s, 15m, 24h or 7d', '24h')
    .option(...json)
    .action((options) =>
      withWebhooks(async (webhooks) => {
        const rotated = await webhooks.rotate(options.account, parseDuration(options.overlap))
        const until = rotated.webhook.oldSecretEndsAt?.toISOString()
        printer(options.json).one(
          rotated,
          `The new secret, shown once:\n${rotated.secret}\n${until ? `The old one signs beside it until ${until}.` : 'The old one signs no more.'}`,
        )
      }),
    )
  webhook
    .command('remove')
    .description('stops events, including those not delivered yet')
    .requiredOption(...account)
    .option(...json)
    .action((options) =>
      withWebhooks(async (webhooks) => {
        await webhooks.remove(options.account)
        printer(options.json).one({}, 'The webhook is removed.')
      }),
    )
  webhook
    .command('list')
    .option('--account <id>', 'only the webhook of this account', id)
    .option(...json)
    .action((options) =>
      withWebhooks(async (webhooks) => {
        printer(options.json).rows('webhooks', await webhooks.list(options.account))
      }),
    )
  webhook
    .command('deliveries')
    .description(`the latest ${shownDeliveries} events, with their answers`)
    .requiredOption(...account)
    .option(...json)
    .action((options) =>
      withWebhooks(async (webhooks) => {
        const latest = await webhooks.deliveries(options.account, null, shownDeliveries)
        printer(options.json).rows('deliveries', latest)
      }),
    )
  webhook
    .command('send-again')
    .argument('<deliveryId>', 'the delivery; see: webhook deliveries', id)
    .option(...json)
    .action((deliveryId, options) =>
      withWebhooks(async (webhooks) => {
        await webhooks.sendAgain(deliveryId)
        printer(options.json).one({}, 'The event is sent again by the service.')
      }),
    )
}
