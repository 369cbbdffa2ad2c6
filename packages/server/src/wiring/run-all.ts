import { mkdir } from 'node:fs/promises'
import { createAccounts } from '../accounts/accounts.ts'
import { type Config, findBrokenPromises, readConfig } from '../config/config.ts'
import { makeFirstPassword } from '../console/operator.ts'
import { createDirectStorage } from '../conversions/job-storage.ts'
import type { Database } from '../db/connect.ts'
import { waitForDatabase } from '../db/retries.ts'
import { lockInstance } from '../db/single-instance.ts'
import { curlLines } from '../http/pages/api-code.ts'
import { createLog, type Log } from '../log/log.ts'
import { removeStaleParts } from '../storage/local/local-storage.ts'
import { createInvitation, invitationSeconds } from '../web/invitations.ts'
import { startHeartbeat } from './heartbeat.ts'
import {
  filesFolder,
  openConverterFor,
  openDatabase,
  openShared,
  openStorage,
  tellAway,
} from './open-parts.ts'
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

  process.stdout.write(banner(config, first))
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

/** The output when it is ready. The three commands are meant to be pasted; a test does that. */
function banner({ publicUrl, prefix, dataDir }: Config, first: FirstSecrets): string {
  const base = publicUrl + prefix
  const sections = [
    `
Kiln is ready at ${base}
  web app   ${publicUrl}/
  API page  ${base}/docs
  console   ${publicUrl}/console
  data      ${dataDir}
  stop      Ctrl-C`,
    first.invitation &&
      `Open this link to convert files in your browser. It works once, for you or the first person you send it to:

  ${first.invitation}`,
    first.key &&
      `Your first account has this API key. It is shown once; keep it:

  ${first.key}

Paste these lines to convert README.md to README.html:

${curlLines({ publicUrl, prefix }, `-H 'Authorization: Bearer ${first.key}'`).join('\n')}`,
    first.password &&
      `The operator console at ${publicUrl}/console has this password. It is shown once; keep it:

  ${first.password}`,
  ]
  return sections.flatMap((section) => (section ? `${section}\n\n` : [])).join('')
}
