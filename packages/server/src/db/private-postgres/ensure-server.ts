import { setTimeout as sleep } from 'node:timers/promises'
import type { SystemUser } from '../../system-user/passwd.ts'
import { type Access, hasAccess, setUpAccess } from './access.ts'
import { findBinaries } from './binaries.ts'
import { type Claim, claimServer } from './claim.ts'
import { createCluster, readDataMajor } from './cluster.ts'
import type { Folders } from './folders.ts'
import type { PrivatePostgresOptions } from './index.ts'
import { passwordFile } from './password.ts'
import { findRunningServer, removeStalePidFile } from './postmaster-pid.ts'
import { lastLogLines, startServer } from './server-process.ts'

export interface EnsureServerParts {
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
export async function ensureServer(parts: EnsureServerParts): Promise<RunningServer> {
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
async function startHere({
  user,
  folders,
  access,
  options,
  log,
}: EnsureServerParts): Promise<Error | undefined> {
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
