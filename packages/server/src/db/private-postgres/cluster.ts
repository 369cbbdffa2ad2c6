import { chown, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SUPERUSER } from './access.ts'
import { readIfThere } from './folders.ts'
import { isAlive } from './postmaster-pid.ts'
import { type Launch, runProgram } from './programs.ts'

// Creates the data directory. `initdb` writes into `postgres.new-<pid>`, which is renamed when it is complete and on
// disk. A crash in between leaves a directory with the id of a dead process, which the next start removes. When two
// processes start concurrently, the later rename fails, and that process uses the directory of the other.

/** The major version that created the directory, or undefined when there is no database yet. */
export async function readDataMajor(postgresDir: string): Promise<number | undefined> {
  const version = await readIfThere(join(postgresDir, 'PG_VERSION'))
  return version ? Number.parseInt(version, 10) : undefined
}

export async function createCluster(launch: Launch): Promise<void> {
  const { user, folders } = launch
  await removeUnfinished(folders.dataDir)
  await refuseForeignFolder(folders.postgresDir)
  const name = `postgres.new-${process.pid}`
  const path = join(folders.dataDir, name)
  await mkdir(path, { mode: 0o700 })
  try {
    if (user) await chown(path, user.uid, user.gid)
    const first = await initdb(launch, path, 'C.UTF-8')
    // Systems without C.UTF-8 (old glibc, musl, macOS) have C; text is UTF-8 either way.
    const done = /locale/.test(first ?? '') ? await initdb(launch, path, 'C') : first
    if (done !== undefined) throw new Error(`initdb could not make the database folder:\n${done}`)
    await rename(path, folders.postgresDir).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const pid = /^postgres\.new-(\d+)$/.exec(name)?.[1]
    if (pid && (Number(pid) === process.pid || !isAlive(Number(pid)))) {
      // Its initdb may still be writing; it fails when its files are removed.
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    }
  }
}

async function refuseForeignFolder(postgresDir: string): Promise<void> {
  await rmdir(postgresDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return
    throw new Error(
      `${postgresDir} is not empty and holds no PostgreSQL database. Move it away, or choose another data folder (KILN_DATA_DIR).`,
    )
  })
}

/** Returns the error message of initdb, or undefined when it succeeded. */
async function initdb(launch: Launch, path: string, locale: string): Promise<string | undefined> {
  const args = [
    `--pgdata=${path}`,
    `--username=${SUPERUSER}`,
    '--encoding=UTF8',
    `--locale=${locale}`,
    // No connections are accepted until access.ts has set the rules.
    '--auth=reject',
  ]
  const { code, complaints } = await runProgram(launch, launch.binaries.initdb, args)
  return code === 0 ? undefined : complaints
}
