import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SystemUser } from '../../system-user/passwd.ts'
import {
  type Access,
  DATABASE,
  hasAccess,
  passwordFile,
  ROLE,
  readOrMakePassword,
  setUpAccess,
} from './access.ts'
import { type Claim, claimServer } from './claim.ts'
import { createCluster, readDataMajor } from './cluster.ts'
import { chooseDatabaseUser, type Folders, prepareFolders, removeRuntimeFolder } from './folders.ts'
import { findRunningServer, removeStalePidFile } from './postmaster-pid.ts'
import { findBinaries } from './programs.ts'
import { lastLogLines, startServer, stopServer } from './server-process.ts'

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

interface EnsureServerParts {
  user: SystemUser | undefined
  folders: Folders
  access: Access
  options: Pick<PrivatePostgresOptions, 'settings' | 'systemRoots'>
  log: (line: string) => void
}

interface RunningServer {
  claim: Claim
  /** Whether it was running already. */
  adopted: boolean
  socketDir: string
}

const START_DEADLINE_MS = 60_000
const START_ATTEMPTS = 6

/** Adopts the server that runs on the directory, or starts one. */
async function ensureServer(parts: EnsureServerParts): Promise<RunningServer> {
  const { access, folders } = parts
  const { postgresDir } = folders
  let problem: unknown
  let failedStarts = 0
  for (const deadline = Date.now() + START_DEADLINE_MS; Date.now() < deadline; await sleep(50)) {
    const running = await findRunningServer(postgresDir)
    if (running && running.status !== 'ready') continue
    if (running && !(await hasAccess(postgresDir, access)))
      throw new Error(
        `The PostgreSQL that runs on ${postgresDir} was given another password than ${passwordFile(folders.dataDir)} holds. Stop it, and start again.`,
      )
    const fault = running ? undefined : await startHere(parts)
    if (fault) {
      // Another process started first, or the processes of a killed server have not released its shared memory yet.
      problem = fault
      failedStarts += 1
      if (failedStarts > START_ATTEMPTS) throw problem
      await sleep(100 * failedStarts)
      continue
    }
    const socketDir = running?.socketDir || folders.socketDir
    const claim = await claimServer(socketDir, access.password).catch((error: unknown) => {
      problem = error
    })
    if (!claim) continue
    return { claim, adopted: running !== undefined, socketDir }
  }
  throw new Error(`The database on ${postgresDir} did not become ready in ${START_DEADLINE_MS / 1000} s.`, {
    cause: problem,
  })
}

/** Starts a server; returns the error if that failed. */
async function startHere(parts: EnsureServerParts): Promise<Error | undefined> {
  const { user, folders, access, options, log } = parts
  const { postgresDir } = folders
  const dataMajor = await readDataMajor(postgresDir)
  const binaries = await findBinaries(dataMajor, options.systemRoots)
  const launch = { user, folders, binaries }
  if (dataMajor === undefined) {
    log(`Making a private PostgreSQL ${binaries.major} in ${postgresDir}`)
    await createCluster(launch)
  }
  await removeStalePidFile(postgresDir)
  if (!(await hasAccess(postgresDir, access))) {
    const fault = await setUpAccess(launch, access).catch((error: Error) => error)
    if (fault) return fault
  }
  if (await startServer(launch, options.settings ?? {})) return undefined
  return new Error(`PostgreSQL did not start. The end of its log:\n${await lastLogLines(folders.dataDir)}`)
}
