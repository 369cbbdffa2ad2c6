import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

// Many clients that poll at a fixed interval, each on its own connection. The latency of a poll is measured from the
// time when it was due, so that a server that falls behind cannot hide it.

export interface PacedPolls {
  origin: string
  jobs: readonly { id: string; key: string }[]
  everyMilliseconds: number
  seconds: number
}

export interface PacedResult {
  milliseconds: number[]
  statuses: Map<number | string, number>
  perSecond: number
}

export async function pollAtPace({
  origin,
  jobs,
  everyMilliseconds,
  seconds,
}: PacedPolls): Promise<PacedResult> {
  const milliseconds: number[] = []
  const statuses = new Map<number | string, number>()
  const started = performance.now()
  const end = started + seconds * 1000
  const client = async ({ id, key }: { id: string; key: string }, number: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    // Spread over the interval, like independent clients.
    let due = started + (number / jobs.length) * everyMilliseconds
    for (; due < end; due += everyMilliseconds) {
      await sleep(Math.max(0, due - performance.now()))
      const status = await ask(agent, `${origin}/api/v1/conversions/${id}`, key)
      milliseconds.push(performance.now() - due)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    agent.destroy()
  }
  await Promise.all(jobs.map(client))
  return { milliseconds, statuses, perSecond: milliseconds.length / ((performance.now() - started) / 1000) }
}

async function ask(agent: Agent, url: string, key: string): Promise<number | string> {
  try {
    const call = request(url, { agent, headers: { authorization: `Bearer ${key}` } })
    call.end()
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    answer.resume()
    await once(answer, 'end')
    return answer.statusCode ?? 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'error'
  }
}
