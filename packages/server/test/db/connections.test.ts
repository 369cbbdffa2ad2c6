import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectDatabase, type Database } from '../../src/db/connect.ts'
import { isUnavailable } from '../../src/errors.ts'
import { useDatabase } from '../support/database.ts'

const context = useDatabase()

// In front of PostgreSQL: passes on as many connections as it is allowed to. Further ones are taken and never answered.
let allowed: number
let sockets: Socket[]
let database: Database
let through: string
const door = createServer((client) => {
  sockets.push(client.on('error', () => {}))
  if (sockets.length <= allowed) pass(client)
})
const pass = (client: Socket) => {
  const { hostname } = new URL(context.database.connectionString)
  const upstream = connect({ path: join(decodeURIComponent(hostname), '.s.PGSQL.5432') })
  client.pipe(upstream.on('error', () => {})).pipe(client)
}
/** From now on nothing comes back. */
const silence = (nth: number) => (sockets[nth] as Socket).unpipe()
const letIn = (nth: number) => pass(sockets[nth] as Socket)

beforeEach(async () => {
  sockets = []
  await once(door.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(context.database.connectionString)
  const { port } = door.address() as AddressInfo
  through = `postgresql://${url.username}:${url.password}@127.0.0.1:${port}${url.pathname}`
  // Nothing here waits for it; it is longer than a test may take.
  database = connectDatabase(through, 3, { connectMilliseconds: 120_000 })
})
afterEach(async () => {
  const closed = new Promise((resolve) => door.close(resolve))
  for (const socket of sockets) socket.destroy()
  await Promise.all([closed, database.close()])
})

/** Holds a connection until it is let go. */
async function hold() {
  const end = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const held = database.kysely.connection().execute(async (connection) => {
    await sql`select 1`.execute(connection)
    begun.resolve()
    await end.promise
  })
  await begun.promise
  return async () => {
    end.resolve()
    await held
  }
}
const ask = async (n: number) =>
  (await sql<{ n: number }>`select ${n}::integer as n`.execute(database.kysely)).rows[0]?.n
const connectionsOpened = async (count: number) => {
  while (sockets.length < count) await once(door, 'connection')
}

test('a connection that becomes free is taken by one who waits for a new one', async () => {
  allowed = 1
  const letGo = await hold()
  const answer = ask(1)
  await connectionsOpened(2)
  await letGo()
  expect(await answer).toBe(1)
})

test('each of many who wait for new ones has its turn with the one that becomes free', async () => {
  allowed = 1
  const letGo = await hold()
  const answers = Promise.all([1, 2, 3, 4, 5].map(ask))
  await connectionsOpened(3)
  await letGo()
  expect(await answers).toEqual([1, 2, 3, 4, 5])
})

test('what was opened in vain serves the next one', async () => {
  allowed = 1
  const letGo = await hold()
  const answer = ask(1)
  await connectionsOpened(2)
  await letGo()
  expect(await answer).toBe(1)
  const letGoAgain = await hold()
  letIn(1)
  expect(await ask(2)).toBe(2)
  await letGoAgain()
})

test('a connection that opens after its caller has given up serves the next one', async () => {
  allowed = 0
  const own = connectDatabase(through, 1, { connectMilliseconds: 100 })
  await expect(own.version()).rejects.toThrow('cannot reach its database')
  letIn(0)
  while (await own.version().then(() => false, isUnavailable)) await delay(20)
  expect(sockets).toHaveLength(1)
  await own.close()
})

test.each([
  ['prepared statements', () => database.version()],
  ['Kysely', () => ask(1)],
])('what was opened for %s is closed with the database', async (_, use) => {
  allowed = 1
  await use()
  await database.close()
  await expect(database.version()).rejects.toThrow('after calling end')
  const [socket] = sockets as [Socket]
  while (!socket.readableEnded) await once(socket, 'end')
  expect(sockets).toHaveLength(1)
})

test('a query of Kysely on a connection that became silent ends, and the next one has another connection', async () => {
  allowed = 2
  const session = { statement_timeout: 100 }
  const own = connectDatabase(through, 1, { session, connectMilliseconds: 120_000 })
  const one = () => sql<{ n: number }>`select 1 as n`.execute(own.kysely)
  await one()
  silence(0)
  const transaction = own.kysely.transaction().execute((trx) => sql`select 1`.execute(trx))
  await expect(transaction).rejects.toThrow('cannot reach its database')
  expect((await one()).rows).toEqual([{ n: 1 }])
  await own.close()
})
