import { type Pair, pairs } from './catalog/pairs.ts'
import type { Config } from './config.ts'
import { settledChannel } from './conversions/wait-for-end.ts'
import { type Database, isDatabaseAway } from './db/connect.ts'
import { type Listener, openListener } from './db/listen.ts'
import type { Log } from './log.ts'
import { type OpenStorage, openStorage } from './open-storage.ts'
import { openPgBossQueue, wakeChannel } from './queue/pg-boss.ts'
import type { Queue } from './queue/queue.ts'

// What the API and the worker both stand on, opened in order and put onto the stack that closes it.

export interface Shared extends Pick<OpenStorage, 'storage' | 'local'> {
  config: Config
  database: Database
  listener: Listener
  queue: Queue
  pairs: readonly Pair[]
  log: Log
}

export interface SharedOptions {
  config: Config
  database: Database
  log: Log
  /** Workers watch over leases. */
  supervise: boolean
  stack: AsyncDisposableStack
}

export async function openShared({
  config,
  database,
  log,
  supervise,
  stack,
}: SharedOptions): Promise<Shared> {
  const { storage, local, close } = await openStorage(config)
  stack.defer(close)
  const listener = await openListener(database.connectionString, [wakeChannel, settledChannel])
  stack.defer(listener.close)
  // While the database is away pg-boss complains every second; once is told by whoever needed it.
  const onError = (error: unknown) => log[isDatabaseAway(error) ? 'debug' : 'warn']({ err: error }, 'queue')
  const queue = await openPgBossQueue({ database, listener, supervise, onError })
  stack.defer(queue.close)
  return { config, database, listener, queue, storage, local, pairs, log }
}
