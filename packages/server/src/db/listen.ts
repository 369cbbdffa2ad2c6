import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { mapConnectionErrors } from './connection-errors.ts'

// One connection that does nothing but LISTEN.
//
// It reconnects for as long as it is open. What was notified while it was away is lost, so after
// every (re)connection it emits 'reconnected' and listeners look for themselves: a notification
// is only ever a hint that makes things quicker, never the only way to learn something.

export interface Listener {
  on(channel: string, callback: (payload: string) => void): () => void
  onReconnected(callback: () => void): () => void
  close(): Promise<void>
}

export async function openListener(connectionString: string, channels: readonly string[]): Promise<Listener> {
  const events = new EventEmitter().setMaxListeners(0)
  let closed = false
  let client: pg.Client | null = null

  const connect = async () => {
    const next = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: 2000,
      application_name: 'kiln-listen',
    })
    next.on('notification', ({ channel, payload }) => events.emit(`on:${channel}`, payload ?? ''))
    next.on('error', () => {})
    next.on('end', () => {
      if (client === next) client = null
      if (!closed) void reconnect()
    })
    try {
      await next.connect()
      for (const channel of channels) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      next.removeAllListeners('end')
      // Its connection may be lost already.
      await next.end().catch(() => {})
      throw error
    }
    client = next
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
    on(channel, callback) {
      events.on(`on:${channel}`, callback)
      return () => events.off(`on:${channel}`, callback)
    },
    onReconnected(callback) {
      events.on('reconnected', callback)
      return () => events.off('reconnected', callback)
    },
    async close() {
      closed = true
      events.removeAllListeners()
      // Its connection may be lost already.
      await client?.end().catch(() => {})
    },
  }
}
