import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, mkdtemp, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { EngineUser } from './engine-user.ts'

// The engine user that root changes to has no rights of its own, so it reaches only what everybody reaches. Root's
// scratch folder, and a checkout's own files, may lie in folders that are closed to others. This file
// opens the job's folders, and nothing else, to the engine user. readable-copies.ts copies Kiln's own files.
//
// What is done for every box is done without waiting: looking at a folder takes microseconds, and a turn
// through the thread pool takes far longer when the machine is busy.

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

/** The first folder on the way to `path` that the user cannot pass through. */
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
 * A folder for job folders that engines can reach: the preferred one if they can, and if its path is no longer than
 * that, else one beside the system's temporary files. The same preferred folder gives the same other one, so that a
 * service finds what it left there when it was killed.
 */
export async function reachableScratchRoot(
  preferred: string,
  user: EngineUser,
  longestPath = Number.POSITIVE_INFINITY,
): Promise<string> {
  await mkdir(preferred, { recursive: true })
  const isReachable = !user.drop || firstClosedFolder(join(preferred, 'job'), user) === undefined
  if (isReachable && Buffer.byteLength(resolve(preferred)) <= longestPath) return preferred
  const name = createHash('sha256').update(resolve(preferred)).digest('hex').slice(0, 8)
  const folder = join('/var/tmp', `kiln-jobs-${name}`)
  // Others may pass through, not look around; each job folder inside is closed to them.
  await mkdir(folder, { mode: 0o711 }).catch(ignoreExisting)
  const status = await lstat(folder)
  if (!status.isDirectory() || status.uid !== process.getuid?.()) {
    throw new Error(
      `${folder} belongs to somebody else. Remove it, or put KILN_DATA_DIR where ${user.name} can reach it.`,
    )
  }
  await chmod(folder, 0o711)
  return folder
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** Lets the engine user read /in and write /out, and nobody else more than before. */
export function letEngineIn(inFolder: string, outFolder: string, user: EngineUser): void {
  if (!user.drop) return
  // The folder that holds both is the job's own; those above it are not ours to open.
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

/** Closes a directory of the service to other local users. Engines may pass through it, where they are another user. */
export async function closeToOthers(folder: string, user: EngineUser): Promise<void> {
  if (user.drop) await chown(folder, process.getuid?.() ?? 0, user.gid)
  await chmod(folder, user.drop ? 0o710 : 0o700)
}

/** For the temporary files of a run. In the job's own folder, so that it goes with it even when the service is killed. */
export async function makeTemporaryFolder(jobFolder: string, user: EngineUser): Promise<string> {
  const folder = await mkdtemp(join(jobFolder, 'tmp-'))
  await giveFolder(folder, user)
  return folder
}

/** Makes a folder the engine user's own, closed to everybody else. */
async function giveFolder(folder: string, user: EngineUser): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is no folder.`)
  if (user.drop) await chown(folder, user.uid, user.gid)
  await chmod(folder, 0o700)
}

/** The same for a folder and the folders right below it. */
export async function giveFolders(folder: string, user: EngineUser): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await giveFolder(join(folder, entry.name), user)
  }
  await giveFolder(folder, user)
}
