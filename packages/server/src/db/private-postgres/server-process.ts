import { once } from 'node:events'
import { chown, open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SystemUser } from '../../system-user/passwd.ts'
import { readOrMakePassword } from './access.ts'
import { claimServer } from './claim.ts'
import { findRunningServer, hasEnded } from './postmaster-pid.ts'
import { type Launch, spawnProgram } from './programs.ts'

// Starts and stops the server. `startServer` returns when the server reports `ready` or has exited. Stopping tries fast
// shutdown (clients are disconnected, data written), then immediate shutdown (recovery at the next start), then
// SIGKILL.

/** Only settings that matter to Kiln; PostgreSQL's defaults apply to all others. fsync stays on. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '128MB',
  // Queries are short lookups by key: compiling them costs more than it saves.
  jit: 'off',
}

const LARGEST_LOG = 10 * 1024 * 1024
const STOP_STEPS = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

/** True when the server is ready; false when it exited instead (another one may use the directory). */
export async function startServer(
  launch: Launch,
  extraSettings: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { user, folders, binaries } = launch
  const settings = { ...SETTINGS, unix_socket_directories: folders.socketDir, ...extraSettings }
  const args = ['-D', folders.postgresDir]
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`)

  const log = await openLog(folders.dataDir, user)
  const child = await spawnProgram(launch, binaries.postgres, args, ['ignore', log.fd, log.fd])
  await log.close()
  let ended = false
  const end = once(child, 'exit')
    .catch((error: unknown) => {
      throw new Error('PostgreSQL could not be started.', { cause: error })
    })
    .finally(() => {
      ended = true
    })
  // The server may outlive this process, but does not keep it alive.
  child.unref()
  while (!ended) {
    const running = await findRunningServer(folders.postgresDir)
    if (running?.pid === child.pid && running?.status === 'ready') return true
    await Promise.race([end, sleep(10)])
  }
  await end
  return false
}

/** A file and not a pipe: the server can continue to write after this process was killed. */
async function openLog(dataDir: string, user: SystemUser | undefined) {
  const path = logPath(dataDir)
  const found = await stat(path).catch(() => null)
  if (found && found.size > LARGEST_LOG) await rename(path, `${path}.1`)
  const file = await open(path, 'a', 0o600)
  if (user) await chown(path, user.uid, user.gid)
  return file
}

const logPath = (dataDir: string): string => join(dataDir, 'postgres.log')

/** Empty before the server has written a line. */
export const lastLogLines = async (dataDir: string): Promise<string> =>
  (await readFile(logPath(dataDir), 'utf8').catch(() => '')).trimEnd().split('\n').slice(-8).join('\n')

export async function stopServer(postgresDir: string, log: (line: string) => void): Promise<void> {
  for (const { signal, waitMs } of STOP_STEPS) {
    const running = await findRunningServer(postgresDir)
    if (!running) return
    if (signal !== 'SIGINT') log(`The database did not stop in time; sending ${signal}.`)
    process.kill(running.pid, signal)
    for (const end = Date.now() + waitMs; Date.now() < end; await sleep(10)) {
      if (await hasEnded(running.pid)) return
    }
  }
  throw new Error(`The database on ${postgresDir} cannot be stopped.`)
}

/** Stops a server that a killed process left running on the directory; throws while another process uses it. */
export async function stopOrphan(dataDir: string): Promise<void> {
  const postgresDir = join(dataDir, 'postgres')
  const running = await findRunningServer(postgresDir)
  if (!running) return
  const password = await readOrMakePassword(dataDir)
  const claim = await claimServer(running.socketDir, password).catch((error: Error) => {
    throw new Error(
      `A PostgreSQL of another user runs on ${dataDir}. Stop it first (process ${running.pid}).`,
      { cause: error },
    )
  })
  const alone = await claim.takeAlone()
  await claim.end()
  if (!alone) throw new Error(`A Kiln of an earlier version runs on ${dataDir}. Stop it first.`)
  await stopServer(postgresDir, () => undefined)
}
