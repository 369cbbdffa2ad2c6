import type { Pair } from '@kiln/converter/catalog'
import type { Config } from '../config/config.ts'
import { offerOf } from '../config/setting-pairs.ts'
import { type AccountLoadWatch, watchAccountLoad } from '../conversions/account-load.ts'
import { settledChannel } from '../conversions/wait-for-end.ts'
import type { Database } from '../db/connect.ts'
import { type Listener, openListener } from '../db/listen.ts'
import { waitForDatabase } from '../db/wait-for-database.ts'
import { webhookChannel } from '../db/webhook-deliveries.ts'
import { isUnavailable } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { openPgBossQueue, wakeChannel } from '../queue/pg-boss.ts'
import type { Queue } from '../queue/queue.ts'
import { type EventLoopWatch, watchEventLoop } from '../telemetry/event-loop.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { openTracing, type Tracing } from '../telemetry/tracing.ts'
import { tellAway } from './open-database.ts'

// The resources that the API and the worker share, opened in order and pushed onto the stack that closes them.

export interface Shared {
  config: Config
  database: Database
  listener: Listener
  queue: Queue
  pairs: readonly Pair[]
  log: Log
  metrics: Metrics
  tracing: Tracing
  eventLoop: EventLoopWatch
  load: AccountLoadWatch
}

export interface SharedOptions {
  /** The name of this process in traces. */
  kind: 'all' | 'api' | 'worker'
  config: Config
  database: Database
  log: Log
  stack: AsyncDisposableStack
}

export async function openShared({ kind, config, database, log, stack }: SharedOptions): Promise<Shared> {
  const tracing = await openTracing(config.otlpEndpoint, kind)
  stack.defer(tracing.close)
  const channels = [wakeChannel, settledChannel, webhookChannel]
  const listener = await waitForDatabase(
    () => openListener(database.connectionString, channels),
    tellAway(log),
  )
  stack.defer(listener.close)
  // While the database is unavailable pg-boss reports it every second; each failed caller logs it already.
  const onError = (error: unknown) => log[isUnavailable(error) ? 'debug' : 'warn']({ err: error }, 'queue')
  const queue = await waitForDatabase(() => openPgBossQueue({ database, listener, onError }), tellAway(log))
  stack.defer(queue.close)
  const metrics = createMetrics()
  const eventLoop = watchEventLoop({ log, metrics })
  stack.defer(eventLoop.stop)
  const load = await watchAccountLoad(database, config.maxWaitingJobs)
  stack.defer(load.stop)
  const pairs = offerOf(config.pairs, config.prices)
  return { config, database, listener, queue, pairs, log, metrics, tracing, eventLoop, load }
}
