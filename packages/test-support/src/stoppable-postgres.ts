import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROLE, readOrMakePassword, setUpAccess } from '../../server/src/db/private-postgres/access.ts'
import { createCluster } from '../../server/src/db/private-postgres/cluster.ts'
import { chooseDatabaseUser, prepareFolders } from '../../server/src/db/private-postgres/folders.ts'
import { findRunningServer } from '../../server/src/db/private-postgres/postmaster-pid.ts'
import { findBinaries } from '../../server/src/db/private-postgres/programs.ts'
import { startServer, stopServer } from '../../server/src/db/private-postgres/server-process.ts'
import { openGate } from './gate.ts'

// A PostgreSQL with fsync on that a test can stop, crash and silence, and that nothing else restarts.

export interface StoppablePostgres {
  /** For the service: through the gate. */
  connectionString: string
  /** For the checks: past the gate. */
  directString: string
  start(): Promise<void>
  stop(): Promise<void>
  /** kill -9 of the server; the next start recovers from the log. */
  crash(): Promise<void>
  silence(yes: boolean): void
  end(): Promise<void>
}

export async function openStoppablePostgres(root: string): Promise<StoppablePostgres> {
  const dataDir = join(root, 'database')
  const user = await chooseDatabaseUser(join(dataDir, 'postgres'))
  const folders = await prepareFolders(dataDir, user)
  const launch = { user, folders, binaries: await findBinaries(undefined) }
  await createCluster(launch)
  const access = { password: await readOrMakePassword(folders.dataDir), mayManageDatabases: false }
  await setUpAccess(launch, access)

  const start = async () => {
    // The processes of a killed server may still be letting go of its memory.
    for (let tries = 0; tries < 50; tries++) {
      if (await startServer(launch, { fsync: 'on', max_connections: '200' })) return
      await sleep(200)
    }
    throw new Error('PostgreSQL does not start again.')
  }
  await start()
  const stringFor = (folder: string, name: string) =>
    `postgresql://${ROLE}:${access.password}@${encodeURIComponent(folder)}:5432/${name}`

  const gateFolder = join(root, 'database-gate')
  await mkdir(gateFolder, { mode: 0o700 })
  const socketName = '.s.PGSQL.5432'
  const gate = await openGate({ path: join(folders.socketDir, socketName) }, join(gateFolder, socketName))
  // The service runs as the same user as the database.
  if (user)
    for (const path of [gateFolder, join(gateFolder, socketName)]) await chown(path, user.uid, user.gid)
  return {
    connectionString: stringFor(gateFolder, 'kiln'),
    directString: stringFor(folders.socketDir, 'kiln'),
    start,
    stop: () => stopServer(folders.postgresDir, () => {}),
    async crash() {
      const running = await findRunningServer(folders.postgresDir)
      if (running) process.kill(running.pid, 'SIGKILL')
      await sleep(300)
    },
    silence: gate.silence,
    async end() {
      await gate.end()
      await stopServer(folders.postgresDir, () => {})
    },
  }
}
