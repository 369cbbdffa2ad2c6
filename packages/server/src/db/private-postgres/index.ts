import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Access } from './access.ts'
import { chooseDatabaseUser } from './database-user.ts'
import { ensureServer } from './ensure-server.ts'
import { prepareFolders, removeRuntimeFolder } from './folders.ts'
import { DATABASE, ROLE } from './names.ts'
import { readOrMakePassword } from './password.ts'
import { stopServer } from './server-process.ts'

// The private PostgreSQL, so that `npm start` needs no other database.
//
// Start. A server that already runs on the directory (ours, orphaned by kill -9, or another process's) is adopted.
// Otherwise the directory is created if it is missing, access to it is set up (access.ts), and a server is started. In
// both cases this process then holds a claim on it. Any of these steps may lose a race against another process that
// starts or stops at the same moment; then all of them are repeated, and find the other's work.
//
// While it runs, a server that dies is started again: the loss of the claim reveals it.
//
// Stop. The claim is released; the last user shuts the server down and waits for its end.

export interface PrivatePostgres {
  /** For node `pg` and libpq alike; a Unix socket. */
  readonly connectionString: string
  /** Whether a server was running on the directory already. */
  readonly adopted: boolean
  /** Stops the server, unless another process still uses it. */
  stop(): Promise<void>
}

export interface PrivatePostgresOptions {
  readonly dataDir: string
  readonly log?: (line: string) => void
  /** More of PostgreSQL's settings, for tests. */
  readonly settings?: Readonly<Record<string, string>>
  /** The role may also create databases and request checkpoints: for tests and measurements. */
  readonly mayManageDatabases?: boolean
  /** Where to look for installed versions, for tests. */
  readonly systemRoots?: readonly string[]
}

export async function startPrivatePostgres(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  const log = options.log ?? (() => undefined)
  const user = await chooseDatabaseUser(join(options.dataDir, 'postgres'))
  const folders = await prepareFolders(options.dataDir, user)
  const access: Access = {
    password: await readOrMakePassword(folders.dataDir),
    mayManageDatabases: options.mayManageDatabases ?? false,
  }

  const ensureRunning = () => ensureServer({ user, folders, access, options, log })
  const first = await ensureRunning()
  if (first.adopted) log('Took over the private PostgreSQL that was running already')
  let claim = first.claim
  let stopping: Promise<void> | undefined
  let restarting: Promise<void> | undefined

  const restart = async (): Promise<void> => {
    log('The private PostgreSQL went away; starting it again')
    for (let pauseMs = 100; !stopping; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        claim = (await ensureRunning()).claim
        return
      } catch (error) {
        log(`The private PostgreSQL could not be started again: ${String(error)}`)
        await sleep(pauseMs, undefined, { ref: false })
      }
    }
  }
  const watch = async (): Promise<void> => {
    while (!stopping) {
      await claim.lost
      if (stopping) return
      restarting = restart()
      await restarting
    }
  }
  void watch()

  const stop = async (): Promise<void> => {
    await restarting
    // If this process cannot connect to the server, no other process can either.
    const alone = await claim.takeAlone().catch(() => true)
    if (alone) {
      await stopServer(folders.postgresDir, log)
      await removeRuntimeFolder(folders)
    }
    // The server has closed the connection if it was stopped here.
    await claim.end().catch(() => undefined)
  }

  return {
    connectionString: `postgresql://${ROLE}:${access.password}@${encodeURIComponent(first.socketDir)}:5432/${DATABASE}`,
    adopted: first.adopted,
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}
