import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import { type Claim, claimServer } from './claim.ts'
import { createCluster, readDataMajor } from './cluster.ts'
import { chooseDatabaseUser } from './database-user.ts'
import { prepareFolders, removeRuntimeFolders } from './folders.ts'
import { prepareLaunch } from './launch.ts'
import { findRunningServer, removeStalePidFile } from './postmaster-pid.ts'
import { lastLogLines, startServer, stopServer } from './server-process.ts'

// The private PostgreSQL: what makes `npm start` need no database of anybody's.
//
// Start. If a server runs on the folder (ours, orphaned by kill -9, or another process's), it is adopted.
// If not, the folder is made where it is missing, and a server is started. Either way this process then
// holds a claim on it. Any of these steps may lose a race against another process that starts or stops at
// the same moment; then the whole is tried again, and the next look finds the other's work.
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
  /** Where to look for installed versions, for tests. */
  readonly systemRoots?: readonly string[]
}

const START_DEADLINE_MS = 60_000
const START_ATTEMPTS = 6
const DATABASE = 'kiln'

export async function startPrivatePostgres(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  const log = options.log ?? (() => undefined)
  const user = await chooseDatabaseUser(join(options.dataDir, 'postgres'))
  const folders = await prepareFolders(options.dataDir, user)
  const { postgresDir } = folders

  const bringUp = async (): Promise<{ claim: Claim; adopted: boolean; socketDir: string }> => {
    let problem: unknown
    let failedStarts = 0
    for (const deadline = Date.now() + START_DEADLINE_MS; Date.now() < deadline; await sleep(50)) {
      const running = await findRunningServer(postgresDir)
      if (running && running.status !== 'ready') continue
      if (!running && !(await startHere())) {
        // Lost to another starter, or the processes of a killed server are still letting go of its memory.
        problem = new Error(
          `PostgreSQL did not start. Its last words:\n${await lastLogLines(folders.dataDir)}`,
        )
        failedStarts += 1
        if (failedStarts > START_ATTEMPTS) throw problem
        await sleep(100 * failedStarts)
        continue
      }
      const socketDir = running?.socketDir || folders.socketDir
      const claim = await claimServer(socketDir).catch((error: unknown) => {
        problem = error
      })
      if (!claim) continue
      await createDatabase(claim)
      return { claim, adopted: running !== undefined, socketDir }
    }
    throw new Error(`The database on ${postgresDir} did not become ready in ${START_DEADLINE_MS / 1000} s.`, {
      cause: problem,
    })
  }

  const startHere = async (): Promise<boolean> => {
    const dataMajor = await readDataMajor(postgresDir)
    const binaries = await findBinaries(dataMajor, options.systemRoots)
    const launch = await prepareLaunch(user, folders, binaries)
    if (dataMajor === undefined) {
      log(`Making a private PostgreSQL ${binaries.major} in ${postgresDir}`)
      await createCluster(launch)
    }
    await removeStalePidFile(postgresDir)
    return startServer(launch, options.settings ?? {})
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
      await removeRuntimeFolders(folders)
    }
    await claim.end().catch(() => undefined)
  }

  return {
    connectionString: `postgresql://kiln@${encodeURIComponent(first.socketDir)}:5432/${DATABASE}`,
    adopted: first.adopted,
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}

async function createDatabase(claim: Claim): Promise<void> {
  const rows = await claim.query(`select 1 from pg_database where datname = '${DATABASE}'`)
  if (rows.length > 0) return
  await claim.query(`create database ${DATABASE}`).catch((error: { code?: string }) => {
    // Another process was quicker.
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}
