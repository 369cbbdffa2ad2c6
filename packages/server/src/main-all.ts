import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createAccounts } from './accounts/accounts.ts'
import { firstKeyBanner, readyBanner } from './banner.ts'
import { checkCatalogue, pairs } from './catalog/pairs.ts'
import { type Config, readConfig } from './config.ts'
import { settledChannel } from './conversions/wait-for-end.ts'
import { openListener } from './db/listen.ts'
import { lockInstance } from './db/single-instance.ts'
import { engines } from './engines/index.ts'
import { createLog, type Log } from './log.ts'
import { openDatabase } from './open-database.ts'
import { openPgBossQueue, wakeChannel } from './queue/pg-boss.ts'
import { openSandbox } from './sandbox/open-sandbox.ts'
import { startApi } from './start-api.ts'
import { startWorker } from './start-worker.ts'
import { onStopSignal, reportAndExit } from './stop-signals.ts'
import { openLocalStorage, removeStaleParts } from './storage/local/local-storage.ts'

// `npm start`: the API, the worker, a private PostgreSQL and files in a folder, in one process tree.
// Everything that is opened goes onto one stack, and is closed in the reverse order, also when a
// later step of the start fails.

async function start(config: Config, log: Log, stack: AsyncDisposableStack): Promise<void> {
  checkCatalogue(
    pairs,
    engines.map((engine) => engine.name),
  )
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 })

  const [opened, sandbox] = await Promise.all([
    openDatabase(config).then((value) => {
      stack.defer(value.close)
      return value
    }),
    openSandbox({ allowUnsandboxed: config.allowUnsandboxed, log }).then((value) => {
      stack.defer(value.close)
      return value
    }),
  ])
  const { database } = opened
  if (opened.server) {
    const lock = await lockInstance(database.connectionString)
    if (!lock)
      throw new Error(`Another Kiln runs on ${config.dataDir}. Stop it first, or set another KILN_DATA_DIR.`)
    stack.defer(lock.release)
  }

  const filesFolder = join(config.dataDir, 'files')
  const storage = await openLocalStorage(filesFolder, config.publicUrl)
  await removeStaleParts(filesFolder, new Date())
  const listener = await openListener(database.connectionString, [wakeChannel, settledChannel])
  stack.defer(listener.close)
  const queue = await openPgBossQueue({
    database,
    listener,
    supervise: true,
    onError: (error) => log.warn({ err: error }, 'queue'),
  })
  stack.defer(queue.close)

  const parts = { config, database, listener, queue, storage, pairs, engines, log }
  const worker = await startWorker({ ...parts, openSandbox: sandbox })
  stack.defer(worker.drain)
  const api = await startApi({ ...parts, facts: { sandbox: sandbox.report.level } })
  stack.defer(api.close)

  onStopSignal({
    underNpm: config.underNpm,
    async drain(why) {
      log.info({ why }, 'stopping; running jobs finish first, a second signal forces')
      api.announceStop()
      await stack.disposeAsync().catch((error) => log.error({ err: error }, 'stopping failed'))
      process.exit(0)
    },
    force(why) {
      log.warn({ why }, 'forced to stop; running jobs will be run again')
      void Promise.resolve(opened.server?.stop()).finally(() => process.exit(1))
    },
  })

  const accounts = createAccounts(database)
  process.stdout.write(readyBanner(config))
  if (await accounts.isEmpty()) {
    const { key } = await accounts.create('first account')
    process.stdout.write(firstKeyBanner(config, key.key))
  }
}

async function main(): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel, process.stdout.isTTY === true)
  const stack = new AsyncDisposableStack()
  await start(config, log, stack).catch(async (error) => {
    await stack.disposeAsync()
    throw error
  })
}

main().catch(reportAndExit)
