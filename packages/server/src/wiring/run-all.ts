import { mkdir } from 'node:fs/promises'
import { createAccounts } from '../accounts/accounts.ts'
import { type Config, findBrokenPromises, readConfig } from '../config/config.ts'
import { makeFirstPassword } from '../console/operator.ts'
import { createDirectStorage } from '../conversions/job-storage.ts'
import type { Database } from '../db/connect.ts'
import { lockInstance } from '../db/single-instance.ts'
import { waitForDatabase } from '../db/wait-for-database.ts'
import { createLog, type Log } from '../log/log.ts'
import { removeStaleParts } from '../storage/local/local-storage.ts'
import { createInvitation, invitationSeconds } from '../web/invitations.ts'
import { firstInvitationBanner, firstKeyBanner, firstPasswordBanner, readyBanner } from './banner.ts'
import { startHeartbeat } from './heartbeat.ts'
import { openConverterFor } from './open-converter.ts'
import { openDatabase, tellAway } from './open-database.ts'
import { openShared } from './open-shared.ts'
import { filesFolder, openStorage } from './open-storage.ts'
import { startApi } from './start-api.ts'
import { startMaintenance } from './start-maintenance.ts'
import { startWorker } from './start-worker.ts'
import { onStopSignal, openTogether, runWithStack } from './stop-signals.ts'

// `npm start`: the API, the worker, a private PostgreSQL and files in a folder, in one process tree. Everything that is
// opened is pushed onto one stack, and closed in reverse order, also when a later step of the start fails.

async function start(config: Config, log: Log, stack: AsyncDisposableStack): Promise<void> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 })

  const opening = [openDatabase(config, log), openConverterFor(config, log)] as const
  const [{ database, server }, converter] = await openTogether(stack, opening)
  if (server) {
    const lock = await lockInstance(database.connectionString)
    if (!lock)
      throw new Error(`Another Kiln runs on ${config.dataDir}. Stop it first, or set another KILN_DATA_DIR.`)
    stack.defer(lock.release)
  }

  const opened = await openStorage(config)
  stack.defer(opened.close)
  if (opened.local) await removeStaleParts(filesFolder(config), new Date())
  const shared = { ...(await openShared({ kind: 'all', config, database, log, stack })), ...opened }
  const worker = await startWorker({ ...shared, storage: createDirectStorage(opened.storage), converter })
  stack.defer(worker.drain)
  stack.defer(startMaintenance(shared).stop)
  const parts = { ...shared, dataDir: config.dataDir, worker: { ...worker, converter } }
  stack.defer(startHeartbeat({ ...parts, kind: 'all' }).stop)
  const first = await makeFirstSecrets(database, config, log)
  const api = await startApi({ ...shared, facts: { sandbox: converter.sandbox.level } })
  stack.defer(api.close)
  onStopSignal({
    underNpm: config.underNpm,
    log,
    stack,
    announce: api.announceStop,
    noticeSeconds: config.stopNoticeSeconds ?? 0,
    force: async () => server?.stop(),
  })

  process.stdout.write(readyBanner(config))
  if (first.invitation !== null) process.stdout.write(firstInvitationBanner(first.invitation))
  if (first.key !== null) process.stdout.write(firstKeyBanner(config, first.key))
  if (first.password !== null) process.stdout.write(firstPasswordBanner(config, first.password))
}

interface FirstSecrets {
  key: string | null
  invitation: string | null
  password: string | null
}

/**
 * The secrets of a first start, shown once. They are created before the service reports that it is ready, so that no
 * other process stops it in between. The database may be slow on a busy machine: each step can be repeated.
 */
async function makeFirstSecrets(database: Database, { publicUrl }: Config, log: Log): Promise<FirstSecrets> {
  const accounts = createAccounts(database)
  const createFirst = async () => ((await accounts.isEmpty()) ? accounts.create('first account') : null)
  const first = await waitForDatabase(createFirst, tellAway(log))
  const invite = async () =>
    first &&
    createInvitation(database, { publicUrl, accountId: first.account.id, seconds: invitationSeconds })
  const invitation = await waitForDatabase(invite, tellAway(log))
  const password = await waitForDatabase(() => makeFirstPassword(database), tellAway(log))
  return { key: first?.key.key ?? null, invitation: invitation?.link ?? null, password }
}

export async function run(): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel, process.stdout.isTTY === true)
  for (const warning of findBrokenPromises(config)) log.warn(warning)
  await runWithStack((stack) => start(config, log, stack))
}
