import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir, realpath, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DatabaseUser } from './database-user.ts'

// Which folder is where, and who may enter it.
//
// The server listens on a Unix socket only. The socket's folder is 0700 and belongs to the database's user:
// that keeps other users out, so a folder of that name that somebody else made is refused. What keeps out a program
// of the same user is in access.ts.
// It lies in the data folder; where that path is too long for a socket address, or private to root, it is a
// short folder named after a hash of the data folder.

/** `sun_path` holds 108 bytes with its closing zero. */
const LONGEST_SOCKET_PATH = 107
const SOCKET_NAME = '.s.PGSQL.5432'

export interface Folders {
  /** The data folder as this process sees it, without links. */
  readonly dataDir: string
  readonly postgresDir: string
  readonly socketDir: string
  /** Where the server sees the data folder: another name only when its user cannot reach the real one. */
  readonly serverDataDir: string
  /** Short, outside the data folder; made only when something has to lie there. */
  readonly runtimeDir: string
}

export async function prepareFolders(
  wantedDataDir: string,
  user: DatabaseUser | undefined,
): Promise<Folders> {
  await mkdir(wantedDataDir, { recursive: true, mode: 0o711 })
  const dataDir = await realpath(wantedDataDir)
  await letSearch(dataDir, user)
  const reachable = !user || (await canSearch(dataDir, user))

  const inside = join(dataDir, 'postgres-socket')
  const fits = Buffer.byteLength(join(inside, SOCKET_NAME)) <= LONGEST_SOCKET_PATH
  const name = `kiln-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  const runtimeDir = join(await runtimeRoot(), name)
  const socketDir = reachable && fits ? inside : runtimeDir
  await makePrivate(socketDir, user)

  const serverDataDir = reachable ? dataDir : join(runtimeDir, 'data')
  if (!reachable) await makePrivate(serverDataDir, user)
  return { dataDir, postgresDir: join(dataDir, 'postgres'), socketDir, serverDataDir, runtimeDir }
}

/** After the server's end: what lies outside the data folder goes. Only empty folders, never data. */
export async function removeRuntimeFolders({ runtimeDir }: Folders): Promise<void> {
  for (const path of [join(runtimeDir, 'data'), join(runtimeDir, 'programs'), runtimeDir]) {
    await rmdir(path).catch(() => undefined)
  }
}

/** A folder that is not open to others' writes where there is one; else the temporary one. */
async function runtimeRoot(): Promise<string> {
  const uid = process.getuid?.()
  const own = uid === 0 ? '/run' : `/run/user/${uid}`
  const ownFound = await stat(own).catch(() => undefined)
  if (ownFound?.isDirectory() && ownFound.uid === uid) return own
  const temporary = tmpdir()
  return Buffer.byteLength(temporary) <= 60 ? temporary : '/tmp'
}

export async function makePrivate(path: string, user: DatabaseUser | undefined): Promise<void> {
  const ownUid = process.getuid?.()
  const wantedUid = user?.uid ?? ownUid
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(path)
  if (!found.isDirectory() || (found.uid !== wantedUid && found.uid !== ownUid)) {
    throw new Error(
      `${path} belongs to somebody else. Remove it, or choose another data folder (KILN_DATA_DIR).`,
    )
  }
  if (user) await chown(path, user.uid, user.gid)
  await chmod(path, 0o700)
}

/** The data folder itself is Kiln's: others may pass through it (not list it) to what is theirs inside. */
async function letSearch(dataDir: string, user: DatabaseUser | undefined): Promise<void> {
  if (!user) return
  const found = await stat(dataDir)
  if (found.uid === process.getuid?.() && !isSearchable(found, user)) {
    await chmod(dataDir, (found.mode & 0o777) | 0o011)
  }
}

/** Whether the user may pass through every folder of the path. */
export async function canSearch(path: string, user: DatabaseUser): Promise<boolean> {
  for (let dir = path; ; dir = dirname(dir)) {
    if (!isSearchable(await stat(dir), user)) return false
    if (dir === dirname(dir)) return true
  }
}

function isSearchable(folder: { uid: number; gid: number; mode: number }, user: DatabaseUser): boolean {
  if (folder.uid === user.uid) return (folder.mode & 0o100) !== 0
  if (folder.gid === user.gid) return (folder.mode & 0o010) !== 0
  return (folder.mode & 0o001) !== 0
}
