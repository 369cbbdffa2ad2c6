import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, mkdtemp, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { EngineUser } from './engine-user.ts'

// The engine user that root changes to has no privileges, so it can read only world-readable files. Root's scratch
// directory, and the files of a checkout, may be in directories that are closed to others. This file gives the engine
// user access to the job's directories, and to nothing else. readable-copies.ts copies Kiln's own files.
//
// The calls that every sandbox needs are synchronous: a stat takes microseconds, while the thread pool takes much
// longer on a busy machine.

export const read = 0o4
const write = 0o2
export const search = 0o1

export function permits(
  status: { mode: number; uid: number; gid: number },
  user: EngineUser,
  wanted: number,
): boolean {
  const shift = status.uid === user.uid ? 6 : status.gid === user.gid ? 3 : 0
  return ((status.mode >> shift) & wanted) === wanted
}

/** The first directory in `path` that the user may not search. */
export function firstClosedFolder(path: string, user: EngineUser): string | undefined {
  const folders: string[] = []
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    folders.unshift(folder)
    if (folder === dirname(folder)) break
  }
  for (const folder of folders) {
    if (!permits(statSync(folder), user, search)) return folder
  }
  return undefined
}

/**
 * A directory for job directories that engines can reach: the preferred one if they can reach it and its path is short
 * enough, else one in /var/tmp. The name of that one depends on the preferred path only, so that a service finds what it
 * left there when it was killed.
 */
export async function reachableScratchRoot(
  preferred: string,
  user: EngineUser,
  maxPathLength = Number.POSITIVE_INFINITY,
): Promise<string> {
  await mkdir(preferred, { recursive: true })
  const isReachable = !user.drop || firstClosedFolder(join(preferred, 'job'), user) === undefined
  if (isReachable && Buffer.byteLength(resolve(preferred)) <= maxPathLength) return preferred
  const name = createHash('sha256').update(resolve(preferred)).digest('hex').slice(0, 8)
  const folder = join('/var/tmp', `kiln-jobs-${name}`)
  // Other users may search it, but not list it; each job directory inside is closed to them.
  await mkdir(folder, { mode: 0o711 }).catch(ignoreExisting)
  const status = await lstat(folder)
  if (!status.isDirectory() || status.uid !== process.getuid?.()) {
    throw new Error(
      `${folder} belongs to another user. Remove it, or put KILN_DATA_DIR where ${user.name} can reach it.`,
    )
  }
  await chmod(folder, 0o711)
  return folder
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** Gives the engine user read access to /in and write access to /out; other users get no more than before. */
export function letEngineIn(inFolder: string, outFolder: string, user: EngineUser): void {
  if (!user.drop) return
  // The parent of both belongs to the job; the permissions of the directories above it stay as they are.
  const jobFolder = dirname(resolve(inFolder))
  if (jobFolder === dirname(resolve(outFolder))) letIn(jobFolder, user, search)
  for (const folder of [inFolder, outFolder]) {
    const closed = firstClosedFolder(folder, user)
    if (closed !== undefined) {
      throw new Error(
        `Engines run as ${user.name}, who cannot pass through ${closed}. ` +
          'Keep job folders where that user can reach them (reachableScratchRoot finds such a place).',
      )
    }
  }
  letIn(inFolder, user, read | search)
  for (const name of readdirSync(inFolder)) letIn(join(inFolder, name), user, read)
  const out = lstatSync(outFolder)
  if (!permits(out, user, read | write | search)) {
    chownSync(outFolder, user.uid, user.gid)
    chmodSync(outFolder, 0o700)
  }
}

function letIn(path: string, user: EngineUser, wanted: number): void {
  const status = lstatSync(path)
  if (status.isSymbolicLink() || status.uid !== process.getuid?.() || permits(status, user, wanted)) return
  chownSync(path, status.uid, user.gid)
  chmodSync(path, (status.mode & 0o707) | (wanted << 3))
}

/** Closes a directory of the service to other local users. An engine user may search it. */
export async function closeToOthers(folder: string, user: EngineUser): Promise<void> {
  if (user.drop) await chown(folder, process.getuid?.() ?? 0, user.gid)
  await chmod(folder, user.drop ? 0o710 : 0o700)
}

/** For the temporary files of a run. It is in the job's directory, so that it is removed with it even if the service is killed. */
export async function makeTemporaryFolder(jobFolder: string, user: EngineUser): Promise<string> {
  const folder = await mkdtemp(join(jobFolder, 'tmp-'))
  await giveFolder(folder, user)
  return folder
}

/** Makes the engine user the owner of a directory, and closes it to all other users. */
async function giveFolder(folder: string, user: EngineUser): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is no folder.`)
  if (user.drop) await chown(folder, user.uid, user.gid)
  await chmod(folder, 0o700)
}

/** The same for a directory and its direct subdirectories. */
export async function giveFolders(folder: string, user: EngineUser): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await giveFolder(join(folder, entry.name), user)
  }
  await giveFolder(folder, user)
}
