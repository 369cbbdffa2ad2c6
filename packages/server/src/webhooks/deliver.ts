import type { KeyObject } from 'node:crypto'
import { errorText } from '@kiln/contract'
import type { Database } from '../db/connect.ts'
import type { Listener } from '../db/listen.ts'
import {
  claimDelivery,
  type DueDelivery,
  findDueAccounts,
  recordAnswer,
  webhookChannel,
} from '../db/webhooks.ts'
import type { Log } from '../log/log.ts'
import { openSealed } from '../sealed-text.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Answer, Send } from './send.ts'
import { sign } from './webhooks.ts'

// Delivers events. An event is written with the end of its job, in one transaction (db/jobs.ts), and stays due until
// its result has been recorded: a process claims it for half a minute, and if that process dies, the next one sends it
// again. So it is delivered at least once; the receiver recognizes a duplicate by its id.
//
// Accounts take turns, and the number of concurrent requests per account is limited. An account whose receiver was slow
// the last time has a limit of one, and all such accounts together use at most half of the slots: so receivers that
// hang do not delay the others. Any number of processes may deliver; a row that one of them holds is skipped by the
// others.

const lookEveryMilliseconds = 2000
const maxAtOnce = 256
const maxForAccount = 4
const slowMilliseconds = 2000

export interface DeliverParts {
  database: Database
  listener: Listener
  send: Send
  /** Decrypts the secrets of webhooks. */
  key: KeyObject
  metrics: Pick<Metrics, 'webhookSent'>
  log: Log
  /** Maximum number of concurrent requests. */
  atOnce?: number
}

export function startDelivering(parts: DeliverParts): { stop(): Promise<void> } {
  const { database, listener, log, atOnce = maxAtOnce } = parts
  const underWay = new Map<string, number>()
  const running = new Set<Promise<void>>()
  /** Accounts whose receiver was slow or did not answer the last time. */
  const slow = new Set<string>()
  /** Accounts with due deliveries, in the order of their turns. */
  const waiting = new Set<string>()
  let stopped = false
  let taking = false

  const mayTake = (accountId: string) => {
    const count = underWay.get(accountId) ?? 0
    if (!slow.has(accountId)) return count < maxForAccount
    return count === 0 && [...slow].filter((each) => underWay.has(each)).length < atOnce / 2
  }

  const take = async () => {
    if (taking) return
    taking = true
    try {
      for (const accountId of waiting) {
        if (stopped || running.size >= atOnce) return
        waiting.delete(accountId)
        // A skipped account is found again when one of its requests ends, or with the next poll.
        if (!mayTake(accountId)) continue
        const delivery = await claimDelivery(database, accountId)
        if (!delivery) continue
        begin(accountId, delivery)
        waiting.add(accountId)
      }
    } catch (error) {
      log.debug({ err: error }, 'could not look for webhooks that are due')
    } finally {
      taking = false
    }
  }

  const begin = (accountId: string, delivery: DueDelivery) => {
    underWay.set(accountId, (underWay.get(accountId) ?? 0) + 1)
    const task = deliver(parts, delivery)
      .then(({ status, milliseconds }) => {
        if (status === null || milliseconds > slowMilliseconds) slow.add(accountId)
        else slow.delete(accountId)
      })
      .catch((error) => log.warn({ delivery: delivery.id, err: error }, 'the answer of a webhook is lost'))
      .finally(() => {
        running.delete(task)
        const left = (underWay.get(accountId) ?? 1) - 1
        if (left > 0) underWay.set(accountId, left)
        else underWay.delete(accountId)
        waiting.add(accountId)
        void take()
      })
    running.add(task)
  }

  const look = () =>
    findDueAccounts(database)
      .then((accounts) => {
        for (const accountId of accounts) waiting.add(accountId)
        return take()
      })
      .catch((error) => log.debug({ err: error }, 'could not look for webhooks that are due'))

  const stopListening = listener.on(webhookChannel, (accountId) => {
    waiting.add(accountId)
    void take()
  })
  const timer = setInterval(look, lookEveryMilliseconds)
  void look()
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      stopListening()
      await Promise.allSettled(running)
    },
  }
}

async function deliver(parts: DeliverParts, delivery: DueDelivery): Promise<Answer> {
  const answer = await send(parts, delivery)
  const pause = answer.isTaken ? null : backoffAfter(delivery.attempts)
  const result = answer.isTaken ? 'taken' : pause === null ? 'given-up' : 'failed'
  await recordAnswer(parts.database, delivery, answer, pause)
  parts.metrics.webhookSent(result, answer.milliseconds / 1000)
  const { id, jobId, attempts } = delivery
  const { status, milliseconds } = answer
  parts.log[result === 'given-up' ? 'warn' : 'debug'](
    { delivery: id, jobId, attempts, result, status, ms: milliseconds },
    'webhook',
  )
  return answer
}

async function send({ send: post, key }: DeliverParts, delivery: DueDelivery): Promise<Answer> {
  const sealed = [delivery.secret, ...(delivery.oldSecret === null ? [] : [delivery.oldSecret])]
  let secrets: string[]
  try {
    secrets = sealed.map((each) => openSealed(key, each))
  } catch {
    // Decryption fails only when the key has changed.
    const text =
      'The secret of the webhook can no longer be read: the key of the service has changed. Rotate it.'
    return { isTaken: false, status: null, text, milliseconds: 0 }
  }
  const body = bodyOf(delivery)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Kiln-Webhooks/1',
    ...sign(secrets, delivery.id, new Date(), body),
  }
  return post(delivery.url, headers, body)
}

/** The body of an event. It contains no download link: the receiver requests one with its API key. */
const bodyOf = ({ jobId, pair, status, failureWord, failureSentence, finishedAt }: DueDelivery): string =>
  JSON.stringify({
    type: `conversion.${status}`,
    timestamp: finishedAt.toISOString(),
    data: { jobId, pair, status, error: failureWord && errorText(failureWord, failureSentence) },
  })

// The backoff between the attempts to deliver an event, over a day in total.

const minute = 60
const hour = 60 * minute
const delays = [5, 30, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 8 * hour]

/** Seconds until the next attempt, with jitter; null when this was the last one. */
export function backoffAfter(attempts: number, random: () => number = Math.random): number | null {
  const delay = delays[attempts - 1]
  return delay === undefined ? null : delay * (0.9 + 0.2 * random())
}
