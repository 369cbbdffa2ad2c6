import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { mapConnectionErrors } from './connection-errors.ts'

// One connection that is used only for LISTEN.
//
// It reconnects for as long as it is open. Notifications that were sent while it was disconnected are lost, so it emits
// 'reconnected' after every (re)connection, and listeners query the state: a notification only makes things quicker,
// and is never the only source of information.

// A connection may be lost without any packet from the network: a periodic query detects that, where the kernel would
// take hours.
const checkMilliseconds = 5000

/** `deadline` applies to a query and to a connection attempt, and is the time between two checks. */
export async function openListener(
  connectionString: string,
  channels: readonly string[],
  deadline = checkMilliseconds,
) {
  const events = new EventEmitter().setMaxListeners(0)
  let closed = false
  let client: pg.Client | null = null

  const connect = async () => {
    const next = new pg.Client({
      connectionString,
      connectionTimeoutMillis: deadline,
      query_timeout: deadline,
      application_name: 'kiln-listen',
    })
    next.on('notification', ({ channel, payload }) => events.emit(`on:${channel}`, payload ?? ''))
    next.on('error', () => {})
    const ended = new Promise((resolve) => next.once('end', resolve))
    try {
      await next.connect()
      for (const channel of channels) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      void end(next)
      throw error
    }
    client = next
    // A connection that does not answer is closed, and its `end` event opens the next.
    const check = setInterval(() => next.query('select 1').catch(() => end(next)), deadline)
    // Only here: the failure of a connection that was never established is an error of this function, and its caller
    // retries. If both retried, the number of connections would double with each attempt.
    void ended.then(() => {
      clearInterval(check)
      client = null
      if (!closed) void reconnect()
    })
  }
  const reconnect = async () => {
    while (!closed) {
      try {
        await connect()
        events.emit('reconnected')
        return
      } catch {
        // Queries report that the database is unavailable.
        await delay(500)
      }
    }
  }

  await mapConnectionErrors(connect)
  return {
    on(channel: string, callback: (payload: string) => void) {
      events.on(`on:${channel}`, callback)
      return () => events.off(`on:${channel}`, callback)
    },
    onReconnected(callback: () => void) {
      events.on('reconnected', callback)
      return () => events.off('reconnected', callback)
    },
    async close(): Promise<void> {
      closed = true
      events.removeAllListeners()
      if (client) await end(client)
    },
  }
}

export type Listener = Awaited<ReturnType<typeof openListener>>

/** An error is ignored: the connection may be lost already. */
const end = (client: pg.Client): Promise<void> => client.end().catch(() => {})
