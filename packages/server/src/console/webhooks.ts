import type { Webhooks } from '../webhooks/webhooks.ts'

// The webhook of an account, with its latest deliveries and what the receiver answered.

const deliveriesPerPage = 50

export function createConsoleWebhooks(webhooks: Webhooks) {
  return {
    async show(accountId: string, before: string | null) {
      const deliveries = await webhooks.deliveries(accountId, before, deliveriesPerPage)
      return {
        webhook: await webhooks.find(accountId),
        deliveries,
        next: deliveries.length === deliveriesPerPage ? (deliveries.at(-1)?.id ?? null) : null,
      }
    },
    set: webhooks.set,
    rotate: webhooks.rotate,
    remove: webhooks.remove,
    sendAgain: webhooks.sendAgain,
  }
}
