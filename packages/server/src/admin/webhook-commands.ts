import type { Command } from 'commander'
import { id, parseDuration, text } from './arguments.ts'
import type { AdminParts } from './commands.ts'
import { type Answering, one, rows } from './output.ts'

const shownDeliveries = 50

/** The commands for webhooks, which notify accounts of the ends of their jobs. */
export function addWebhookCommands(program: Command, answer: Answering, { withWebhooks }: AdminParts): void {
  const webhook = program.command('webhook').description('notify an account of the ends of its jobs')
  const ofAccount = (name: string) => webhook.command(name).requiredOption('--account <id>', 'whose', id)
  answer(
    ofAccount('set').requiredOption('--url <url>', 'where events are sent', text(2000)),
    ({ account, url }) =>
      withWebhooks(async (webhooks) => {
        const set = await webhooks.set(account, url)
        return one(
          set,
          set.secret
            ? `Events go to ${set.webhook.url}\nTheir secret, shown once:\n${set.secret}`
            : `Events go to ${set.webhook.url}; the secret is the same as before.`,
        )
      }),
  )
  answer(
    ofAccount('rotate').option(
      '--overlap <time>',
      'how long the old secret signs too, like 90s, 15m, 24h or 7d',
      '24h',
    ),
    ({ account, overlap }) =>
      withWebhooks(async (webhooks) => {
        const rotated = await webhooks.rotate(account, parseDuration(overlap))
        const until = rotated.webhook.oldSecretEndsAt?.toISOString()
        const old = until ? `The old one signs beside it until ${until}.` : 'The old one signs no more.'
        return one(rotated, `The new secret, shown once:\n${rotated.secret}\n${old}`)
      }),
  )
  answer(ofAccount('remove').description('stops events, including those not delivered yet'), ({ account }) =>
    withWebhooks(async (webhooks) => {
      await webhooks.remove(account)
      return one({}, 'The webhook is removed.')
    }),
  )
  answer(
    webhook.command('list').option('--account <id>', 'only the webhook of this account', id),
    ({ account }) => withWebhooks(async (webhooks) => rows('webhooks', await webhooks.list(account))),
  )
  answer(
    ofAccount('deliveries').description(`the latest ${shownDeliveries} events, with their answers`),
    ({ account }) =>
      withWebhooks(async (webhooks) =>
        rows('deliveries', await webhooks.deliveries(account, null, shownDeliveries)),
      ),
  )
  answer(
    webhook.command('send-again').argument('<deliveryId>', 'the delivery; see: webhook deliveries', id),
    (deliveryId) =>
      withWebhooks(async (webhooks) => {
        await webhooks.sendAgain(deliveryId)
        return one({}, 'The event is sent again by the service.')
      }),
  )
}
