import { sql } from 'kysely'
import { afterAll, beforeAll, describe } from 'vitest'
import { type Listener, openListener } from '../../src/db/listen.ts'
import { openPgBossQueue, wakeChannel } from '../../src/queue/pg-boss.ts'
import { queueContract } from '../../src/queue/queue.contract.ts'
import type { Queue } from '../../src/queue/queue.ts'
import { useDatabase } from '../support/database.ts'

const maxTakings = 3

describe('the queue on pg-boss', () => {
  const context = useDatabase()
  let queue: Queue
  let listener: Listener
  beforeAll(async () => {
    listener = await openListener(context.database.connectionString, [wakeChannel])
    queue = await openPgBossQueue({
      maxTakings,
      database: context.database,
      listener,
      onError: (error) => console.error(error),
    })
  })
  afterAll(async () => {
    await queue.close()
    await listener.close()
  })

  queueContract(() => ({
    queue,
    maxTakings,
    database: context.database,
    async lapse({ lease }) {
      // As if its worker had been silent for a while.
      const db = context.database.kysely
      await sql`update pgboss.job set heartbeat_on = now() - interval '1 minute'
                where name = ${lease.queue} and id = ${lease.id}::uuid`.execute(db)
      for (let n = 0; n < 100; n++) {
        await queue.reclaim()
        const { rows } = await sql<{ state: string }>`
          select state from pgboss.job where name = ${lease.queue} and id = ${lease.id}::uuid`.execute(db)
        if (rows[0]?.state !== 'active') break
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
  }))
})
