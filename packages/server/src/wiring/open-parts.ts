import { join } from 'node:path'
import { type Converter, openConverter } from '@kiln/converter'
import { internalPairs, type Lane, lanes, type Pair } from '@kiln/converter/catalog'
import type { Config } from '../config/config.ts'
import { offerOf } from '../config/setting-pairs.ts'
import { type AccountLoadWatch, watchAccountLoad } from '../conversions/account-load.ts'
import { settledChannel } from '../conversions/wait-for-end.ts'
import { connectDatabase, type Database, patientConnectMilliseconds } from '../db/connect.ts'
import { type Listener, openListener } from '../db/listen.ts'
import { migrate } from '../db/migrate.ts'
import { type PrivatePostgres, startPrivatePostgres } from '../db/private-postgres/index.ts'
import { waitForDatabase } from '../db/retries.ts'
import { webhookChannel } from '../db/webhooks.ts'
import { isUnavailable } from '../errors.ts'
import type { Log } from '../log/log.ts'
import { openPgBossQueue, wakeChannel } from '../queue/pg-boss.ts'
import type { Queue } from '../queue/queue.ts'
import { type LocalStorage, openLocalStorage } from '../storage/local/local-storage.ts'
import type { Presign, Storage } from '../storage/storage.ts'
import { type EventLoopWatch, watchEventLoop } from '../telemetry/event-loop.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { openTracing, type Tracing } from '../telemetry/tracing.ts'

export interface OpenDatabase {
  database: Database
  /** Null when DATABASE_URL names an external server. */
  server: PrivatePostgres | null
  close(): Promise<void>
}

/**
 * Connects to DATABASE_URL, or starts the private PostgreSQL, and brings the tables up to date. With a log it waits for
 * an unavailable database; without one (command line) it throws.
 */
export async function openDatabase(config: Config, log?: Log): Promise<OpenDatabase> {
  const server = config.databaseUrl
    ? null
    : await startPrivatePostgres({ dataDir: config.dataDir, log: (line) => log?.info(line) })
  const connectionString = config.databaseUrl ?? server?.connectionString ?? ''
  const database = connectDatabase(
    connectionString,
    config.databaseConnections,
    log ? {} : { connectMilliseconds: patientConnectMilliseconds },
  )
  const close = async () => {
    await database.close()
    await server?.stop()
  }
  try {
    const migrateSchema = () => migrate(database)
    await (log ? waitForDatabase(migrateSchema, tellAway(log)) : migrateSchema())
  } catch (error) {
    await close()
    throw error
  }
  return { database, server, close }
}

export const tellAway = (log: Log) => (error: unknown) =>
  log.warn({ err: error }, 'the database is away; waiting for it')

export interface OpenStorage {
  storage: Storage
  /** The same storage when it is a folder: then the service serves the links itself. */
  local: LocalStorage | null
  /** Signs links of the store; null without a bucket. */
  presign: Presign | null
  close(): void
}

export const filesFolder = (config: Config): string => join(config.dataDir, 'files')

/** The configured S3 bucket, or files in the data folder. */
export async function openStorage(config: Config): Promise<OpenStorage> {
  if (config.s3) {
    // Loaded only when needed: the SDK is large.
    const { openS3Storage } = await import('../storage/s3/s3-storage.ts')
    const storage = openS3Storage(config.s3, config.publicUrl)
    return { storage, local: null, presign: storage.presign, close: storage.close }
  }
  const local = await openLocalStorage(filesFolder(config), config.publicUrl)
  return { storage: local, local, presign: null, close: () => {} }
}

/** The scratch directories of conversions, below the data folder. */
export const scratchFolder = 'work'

/** The converter of a process that serves these lanes. */
export function openConverterFor(
  {
    dataDir,
    allowUnsandboxed,
    waitingDocuments,
    fonts,
    pairs,
    prices,
  }: Pick<Config, 'dataDir' | 'allowUnsandboxed' | 'waitingDocuments' | 'fonts' | 'pairs' | 'prices'>,
  log: Log,
  served: readonly Lane[] = lanes,
): Promise<Converter> {
  return openConverter({
    log,
    scratch: join(dataDir, scratchFolder),
    cache: join(dataDir, 'cache'),
    allowUnsandboxed,
    waiting: waitingDocuments,
    fonts: fonts ?? undefined,
    pairs: [...offerOf(pairs, prices), ...internalPairs].filter(({ lane }) => served.includes(lane)),
  })
}

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
