import { join } from 'node:path'
import { pairs } from '@kiln/converter/catalog'
import pg from 'pg'
import { parseConfig } from '../../../packages/server/src/config/config.ts'
import { watchAccountLoad } from '../../../packages/server/src/conversions/account-load.ts'
import { settledChannel } from '../../../packages/server/src/conversions/wait-for-end.ts'
import { connectDatabase } from '../../../packages/server/src/db/connect.ts'
import { openListener } from '../../../packages/server/src/db/listen.ts'
import { createLog } from '../../../packages/server/src/log/log.ts'
import { openPgBossQueue } from '../../../packages/server/src/queue/pg-boss.ts'
import { openLocalStorage } from '../../../packages/server/src/storage/local/local-storage.ts'
import { startApi } from '../../../packages/server/src/wiring/start-api.ts'
import { answerParent } from '../child.ts'
import { unlimited } from './settings.ts'

// The API alone, wired like the service, in a separate process.

export interface KilnApiSettings {
  databaseUrl: string
  folder: string
  port: number
}

answerParent<KilnApiSettings>(async ({ databaseUrl, folder, port }) => {
  const config = parseConfig(unlimited(databaseUrl, folder, port))
  const database = connectDatabase(databaseUrl, config.databaseConnections)
  const storage = await openLocalStorage(join(folder, 'files'), config.publicUrl)
  const listener = await openListener(databaseUrl, [settledChannel])
  const queue = await openPgBossQueue({ database, onError: () => {} })
  const log = createLog(config.logLevel, false)
  const load = await watchAccountLoad(database, config.maxWaitingJobs)
  const api = await startApi({
    config,
    load,
    database,
    listener,
    queue,
    storage,
    local: storage,
    pairs,
    log,
    facts: {},
  })
  return {
    handlers: { watchQueries, takeQueries },
    async close() {
      await api.close()
      await load.stop()
      await queue.close()
      await listener.close()
      await database.close()
    },
  }
})

// Every call of a client's query() is one round trip; they are recorded between watch and take.
const plainQuery = pg.Client.prototype.query
let queries: string[] = []

function watchQueries(): void {
  queries = []
  pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | { text: string }]
    queries.push(typeof first === 'string' ? first : first.text)
    return Reflect.apply(plainQuery, this, args)
  } as typeof plainQuery
}

function takeQueries(): string[] {
  pg.Client.prototype.query = plainQuery
  return queries
}
