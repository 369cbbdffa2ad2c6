import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Listener, openListener } from '../../src/db/listen.ts'
import { isUnavailable } from '../../src/errors.ts'
import { useDatabase } from '../support/database.ts'

const context = useDatabase()
const deadline = 1000
const queryMessage = 'Q'.charCodeAt(0)

// In front of PostgreSQL: passes connections on, closes them as a proxy without a server does, never answers, or
// answers no query.
let treat: 'pass' | 'close' | 'ignore' | 'ignore-queries'
let sockets: Socket[]
let listener: Listener
let heard: string[]
let through: string
const door = createServer((client) => {
  sockets.push(client.on('error', () => {}))
  if (treat === 'close') client.destroy()
  if (treat !== 'pass' && treat !== 'ignore-queries') return
  const { hostname } = new URL(context.database.connectionString)
  const upstream = connect({ path: join(decodeURIComponent(hostname), '.s.PGSQL.5432') })
  client.pipe(upstream.on('error', () => {})).pipe(client)
  if (treat === 'ignore-queries')
    client.on('data', (bytes: Buffer) => {
      if (bytes[0] === queryMessage) upstream.unpipe(client)
    })
})
const connectionsOpened = async (count: number) => {
  while (sockets.length < count) await once(door, 'connection')
}
const reconnected = () =>
  new Promise<void>((resolve) => {
    const stop = listener.onReconnected(() => {
      stop()
      resolve()
    })
  })

beforeEach(async () => {
  treat = 'pass'
  sockets = []
  heard = []
  await once(door.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(context.database.connectionString)
  const { port } = door.address() as AddressInfo
  through = `postgresql://${url.username}:${url.password}@127.0.0.1:${port}${url.pathname}`
  listener = await openListener(through, ['clay'], deadline)
  listener.on('clay', (payload) => heard.push(payload))
})
afterEach(async () => {
  const closed = new Promise((resolve) => door.close(resolve))
  const ended = listener.close()
  for (const socket of sockets) socket.destroy()
  await Promise.all([closed, ended])
})

test.each(['close', 'ignore', 'ignore-queries'] as const)(
  'opened while the database would %s, it is unavailable',
  async (how) => {
    treat = how
    const error = await openListener(through, ['clay'], deadline).catch((thrown: unknown) => thrown)
    expect(error).toSatisfy(isUnavailable)
  },
)

test('one attempt at a time follows a lost connection', async () => {
  treat = 'close'
  sockets[0]?.destroy()
  await connectionsOpened(4)
  treat = 'ignore'
  await connectionsOpened(5)
  // Shorter than the deadline of the fifth, longer than the pause between attempts.
  await sleep(deadline - 200)
  expect(sockets).toHaveLength(5)
})

test('a connection that became silent is replaced', async () => {
  const [first] = sockets as [Socket]
  first.unpipe()
  await reconnected()
  const received = new Promise((resolve) => listener.on('clay', resolve))
  await context.database.notify('clay', 'fired')
  await received
  expect(heard).toEqual(['fired'])
})
