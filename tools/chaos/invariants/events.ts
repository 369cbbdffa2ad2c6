import { setTimeout as sleep } from 'node:timers/promises'
import type { Invariant } from '../world.ts'

// Every end of a job of an account with a webhook was told, and told as it was; nobody else was told anything.

// A killed process holds an event for half a minute; one that was refused as well waits as long again.
const longestSeconds = 100

export const everyEndIsTold: Invariant = {
  name: 'every end is told to the webhook of its account',
  async check({ accounts, acknowledged, ended, receiver, say }) {
    const withWebhook = new Set(accounts.filter(({ hasWebhook }) => hasWebhook).map(({ id }) => id))
    const isTold = (jobId: string) => receiver.taken.has(jobId)
    const wanted = acknowledged.filter(({ account, jobId }) => withWebhook.has(account) && ended.has(jobId))
    const began = Date.now()
    while (!wanted.every(({ jobId }) => isTold(jobId)) && Date.now() < began + longestSeconds * 1000)
      await sleep(200)
    const faults = wanted
      .filter(({ jobId }) => !isTold(jobId))
      .map(({ jobId }) => `the end of ${jobId} was told to nobody`)
    for (const { jobId, account } of acknowledged) {
      const events = receiver.taken.get(jobId) ?? []
      if (events.length > 0 && !withWebhook.has(account)) faults.push(`${jobId} was told to a stranger`)
      const { status, error } = ended.get(jobId) ?? {}
      for (const { data } of events) {
        if (data.status !== status || data.error !== error)
          faults.push(`${jobId} is ${status} (${error}), and was told to be ${data.status} (${data.error})`)
      }
      if (new Set(events.map(({ id }) => id)).size > 1) faults.push(`${jobId} was told under several ids`)
    }
    const told = [...receiver.taken.values()]
    const again = told.reduce((sum, events) => sum + events.length - 1, 0)
    say(
      `${told.length} ends told, ${again} of them more than once, ${receiver.refused()} refused first; the last ${((Date.now() - began) / 1000).toFixed(1)} s after the last end`,
    )
    return faults
  },
}
