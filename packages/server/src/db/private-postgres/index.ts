import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Access, hasAccess, setUpAccess } from './access.ts'
import { findBinaries } from './binaries.ts'
import { type Claim, claimServer } from './claim.ts'
import { createCluster, readDataMajor } from './cluster.ts'
import { chooseDatabaseUser } from './database-user.ts'
import { prepareFolders, removeRuntimeFolder } from './folders.ts'
import { DATABASE, ROLE, SUPERUSER } from './names.ts'
import { passwordFile, readOrMakePassword } from './password.ts'
import { findRunningServer, removeStalePidFile } from './postmaster-pid.ts'
import { lastLogLines, startServer, stopServer } from './server-process.ts'
import { stopUnused } from './stop-unused.ts'

// The private PostgreSQL: what makes `npm start` need no database of anybody's.
//
// Start. If a server runs on the folder (ours, orphaned by kill -9, or another process's), it is adopted.
// If not, the folder is made where it is missing, access to it is set up (access.ts), and a server is started. Either
// way this process then holds a claim on it. Any of these steps may lose a race against another process that starts or
// stops at the same moment; then the whole is tried again, and the next look finds the other's work.
//
// While it runs, a server that dies is started again: the lost claim tells.
//
// Stop. The claim is given back; the last user shuts the server down and waits for its end.

export interface PrivatePostgres {
  /** For node `pg` and libpq alike; a Unix socket. */
  readonly connectionString: string
  /** A server was running on the folder already. */
  readonly adopted: boolean
  /** Stops the server, unless another process still uses it. */
  stop(): Promise<void>
}

export interface PrivatePostgresOptions {
  readonly dataDir: string
  readonly log?: (line: string) => void
  /** More of PostgreSQL's settings, for tests. */
  readonly settings?: Readonly<Record<string, string>>
  /** The role may also make databases and ask for checkpoints: for tests and measurements. */
  readonly mayManageDatabases?: boolean
  /** Where to look for installed versions, for tests. */
  readonly systemRoots?: readonly string[]
}

const START_DEADLINE_MS = 60_000
const START_ATTEMPTS = 6

export async function startPrivatePostgres(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  const log = options.log ?? (() => undefined)
  const user = await chooseDatabaseUser(join(options.dataDir, 'postgres'))
  const folders = await prepareFolders(options.dataDir, user)
  const { postgresDir } = folders
  const access: Access = {
    password: await readOrMakePassword(folders.dataDir),
    mayManageDatabases: options.mayManageDatabases ?? false,
  }

  const bringUp = async (): Promise<{ claim: Claim; adopted: boolean; socketDir: string }> => {
    let problem: unknown
    let failedStarts = 0
    for (const deadline = Date.now() + START_DEADLINE_MS; Date.now() < deadline; await sleep(50)) {
      const running = await findRunningServer(postgresDir)
      if (running && running.status !== 'ready') continue
      if (running && !(await hasAccess(postgresDir, access))) {
        await stopEarlierVersion(running.socketDir)
        continue
      }
      const fault = running ? undefined : await startHere()
      if (fault) {
        // Lost to another starter, or the processes of a killed server are still letting go of its memory.
        problem = fault
        failedStarts += 1
        if (failedStarts > START_ATTEMPTS) throw problem
        await sleep(100 * failedStarts)
        continue
      }
      const socketDir = running?.socketDir || folders.socketDir
      const claim = await claimServer(socketDir, access).catch((error: unknown) => {
        problem = error
      })
      if (!claim) continue
      return { claim, adopted: running !== undefined, socketDir }
    }
    throw new Error(`The database on ${postgresDir} did not become ready in ${START_DEADLINE_MS / 1000} s.`, {
      cause: problem,
    })
  }

  /** Gives why it could not be started. */
  const startHere = async (): Promise<Error | undefined> => {
    const dataMajor = await readDataMajor(postgresDir)
    const binaries = await findBinaries(dataMajor, options.systemRoots)
    const launch = { user, folders, binaries }
    if (dataMajor === undefined) {
      log(`Making a private PostgreSQL ${binaries.major} in ${postgresDir}`)
      await createCluster(launch)
    }
    await removeStalePidFile(postgresDir)
    if (!(await hasAccess(postgresDir, access))) {
      if (dataMajor !== undefined) log('Giving the private PostgreSQL a role and a password of its own')
      const fault = await setUpAccess(launch, access, dataMajor === undefined).catch((error: Error) => error)
      if (fault) return fault
    }
    if (await startServer(launch, options.settings ?? {})) return undefined
    return new Error(`PostgreSQL did not start. The end of its log:\n${await lastLogLines(folders.dataDir)}`)
  }

  // A server that an earlier version left running lets everybody in who reaches its socket.
  const stopEarlierVersion = async (socketDir: string): Promise<void> => {
    const old = await claimServer(socketDir, { role: SUPERUSER }).catch((error: Error) => {
      throw new Error(
        `The PostgreSQL that runs on ${postgresDir} was given another password than ${passwordFile(folders.dataDir)} holds. Stop it, and start again.`,
        { cause: error },
      )
    })
    await stopUnused(old, folders.dataDir, log)
  }

  const first = await bringUp()
  if (first.adopted) log('Took over the private PostgreSQL that was running already')
  let claim = first.claim
  let stopping: Promise<void> | undefined
  let restarting: Promise<void> | undefined

  const restart = async (): Promise<void> => {
    log('The private PostgreSQL went away; starting it again')
    for (let pauseMs = 100; !stopping; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        claim = (await bringUp()).claim
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
    const alone = await claim.takeAlone().catch(() => true)
    if (alone) {
      await stopServer(postgresDir, log)
      await removeRuntimeFolder(folders)
    }
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
