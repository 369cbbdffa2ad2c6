import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir, readFile, realpath, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownerOrServiceUser, type SystemUser } from '../../system-user/passwd.ts'
import { isSearchable } from '../../system-user/run-as.ts'

// The directories of the private server, and their permissions.
//
// The server listens on a Unix socket only. The socket's directory has mode 0700 and belongs to the database's user:
// that keeps other users out, so a directory of that name that another user created is refused. access.ts protects
// against programs of the same user. The directory is in the data directory; where that path is too long for a socket
// address, it is a short directory named after a hash of the data directory.

/** `sun_path` holds 108 bytes including the terminating NUL. */
const LONGEST_SOCKET_PATH = 107
const SOCKET_NAME = '.s.PGSQL.5432'

export interface Folders {
  /** The data directory as this process sees it, with symbolic links resolved. */
  readonly dataDir: string
  readonly postgresDir: string
  readonly socketDir: string
  /** Short path outside the data directory; created only when the socket has to be there. */
  readonly runtimeDir: string
}

export async function prepareFolders(wantedDataDir: string, user: SystemUser | undefined): Promise<Folders> {
  await mkdir(wantedDataDir, { recursive: true, mode: 0o711 })
  const dataDir = await realpath(wantedDataDir)
  await letSearch(dataDir, user)

  const inside = join(dataDir, 'postgres-socket')
  const fits = Buffer.byteLength(join(inside, SOCKET_NAME)) <= LONGEST_SOCKET_PATH
  const name = `kiln-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  const runtimeDir = join(await runtimeRoot(), name)
  const socketDir = fits ? inside : runtimeDir
  await makePrivate(socketDir, user)
  return { dataDir, postgresDir: join(dataDir, 'postgres'), socketDir, runtimeDir }
}

/** After the server's end: removes the runtime directory if it is empty, and never any data. */
export async function removeRuntimeFolder({ runtimeDir }: Folders): Promise<void> {
  // It fails while another process uses the directory.
  await rmdir(runtimeDir).catch(() => undefined)
}

/** The user's runtime directory, to which others cannot write, where there is one; else the temporary directory. */
async function runtimeRoot(): Promise<string> {
  const uid = process.getuid?.()
  const own = uid === 0 ? '/run' : `/run/user/${uid}`
  // The directory may not exist.
  const ownFound = await stat(own).catch(() => undefined)
  if (ownFound?.isDirectory() && ownFound.uid === uid) return own
  const temporary = tmpdir()
  return Buffer.byteLength(temporary) <= 60 ? temporary : '/tmp'
}

async function makePrivate(path: string, user: SystemUser | undefined): Promise<void> {
  const ownUid = process.getuid?.()
  const wantedUid = user?.uid ?? ownUid
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(path)
  if (!found.isDirectory() || (found.uid !== wantedUid && found.uid !== ownUid)) {
    throw new Error(
      `${path} belongs to another user. Remove it, or choose another data folder (KILN_DATA_DIR).`,
    )
  }
  if (user) await chown(path, user.uid, user.gid)
  await chmod(path, 0o700)
}

/**
 * The data directory itself belongs to Kiln: other users may traverse it (not list it) to reach their directories
 * inside.
 */
async function letSearch(dataDir: string, user: SystemUser | undefined): Promise<void> {
  if (!user) return
  const found = await stat(dataDir)
  if (found.uid === process.getuid?.() && !isSearchable(found, user)) {
    await chmod(dataDir, (found.mode & 0o777) | 0o011)
  }
}

// PostgreSQL refuses to run as root. The service never runs as root, but tests and measurements may; then the server
// runs as the owner of the directory, or else as the service's user. Other users run it as themselves.

/** The user to switch to, or undefined when the process's own user runs the server. */
export async function chooseDatabaseUser(postgresDir: string): Promise<SystemUser | undefined> {
  const ownUid = process.getuid?.()
  // The directory is missing at the first start.
  const owner = await stat(postgresDir).catch(() => undefined)
  if (ownUid === 0) return ownerOrServiceUser(owner)
  if (owner && ownUid !== undefined && owner.uid !== ownUid) {
    throw new Error(
      `The database folder ${postgresDir} belongs to user id ${owner.uid}, and this process runs as ${ownUid}. ` +
        'Start Kiln as that user or as root, or choose another data folder (KILN_DATA_DIR).',
    )
  }
  return undefined
}

/** The text of a file; empty when it does not exist. */
export const readIfThere = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
