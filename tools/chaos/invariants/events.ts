import { setTimeout as sleep } from 'node:timers/promises'
import type { Invariant } from '../system-state.ts'

// Every end of a job of an account with a webhook was delivered correctly, and no other account got an event.

// A killed process holds an event for half a minute; one that was also refused waits as long again.
const longestSeconds = 100

export const everyEndIsDelivered: Invariant = {
  name: 'every end is delivered to the webhook of its account',
  async check({ accounts, acknowledged, ended, receiver, say }) {
    const withWebhook = new Set(accounts.filter(({ hasWebhook }) => hasWebhook).map(({ id }) => id))
    const isDelivered = (jobId: string) => receiver.taken.has(jobId)
    const wanted = acknowledged.filter(({ account, jobId }) => withWebhook.has(account) && ended.has(jobId))
    const began = Date.now()
    while (!wanted.every(({ jobId }) => isDelivered(jobId)) && Date.now() < began + longestSeconds * 1000)
      await sleep(200)
    const faults = wanted
      .filter(({ jobId }) => !isDelivered(jobId))
      .map(({ jobId }) => `the end of ${jobId} was not delivered`)
    for (const { jobId, account } of acknowledged) {
      const events = receiver.taken.get(jobId) ?? []
      if (events.length > 0 && !withWebhook.has(account))
        faults.push(`${jobId} was delivered to another account`)
      const { status, error } = ended.get(jobId) ?? {}
      for (const { data } of events) {
        if (data.status !== status || data.error !== error)
          faults.push(`${jobId} is ${status} (${error}), but the event says ${data.status} (${data.error})`)
      }
      if (new Set(events.map(({ id }) => id)).size > 1)
        faults.push(`${jobId} was delivered under several ids`)
    }
    const delivered = [...receiver.taken.values()]
    const again = delivered.reduce((sum, events) => sum + events.length - 1, 0)
    say(
      `${delivered.length} ends delivered, ${again} of them more than once, ${receiver.refused()} refused first; the last ${((Date.now() - began) / 1000).toFixed(1)} s after the last end`,
    )
    return faults
  },
}
