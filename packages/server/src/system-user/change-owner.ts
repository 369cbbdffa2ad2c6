import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import type { SystemUser } from './passwd.ts'

// Gives the data folder to the user that the service runs as: a new folder, or one of an earlier version, which ran as
// root. This runs as root, so the contents of the folder must not be able to mislead it:
// - every entry is accessed relative to the open folder that contains it, and no link is followed, so nothing outside
//   the folder is reached, even if entries are moved meanwhile;
// - a file with several hard links may belong to another user, and is refused;
// - only Kiln's own files are given away, and only in a folder that belongs to Kiln.
//
// An entry is given away after its contents. If that is interrupted, the next start continues.

const ownNames =
  /^(?:postgres(?:-socket|-password.*|\.log(?:\.1)?|\.new-\d+)?|files|work|cache|kiln-(?:retry|try)-.*)$/
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const fileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
// Deeper trees, left by an engine, could exceed the limit of open descriptors. They stay unchanged.
const deepest = 100

/** `beforehand` is called once if there is an entry of another user. */
export async function changeOwner(
  folder: string,
  user: SystemUser,
  beforehand: () => Promise<void>,
): Promise<void> {
  await using handle = await open(folder, folderFlags)
  const names = await namesIn(handle)
  const status = await handle.stat()
  const own = names.filter((name) => ownNames.test(name.toString('latin1')))
  const isEmpty = names.every((name) => name.toString('latin1') === 'lost+found')
  if (status.uid !== user.uid && own.length === 0 && !isEmpty) {
    throw new Error(
      `${folder} belongs to another user and holds files that are not Kiln's. ` +
        'Choose a folder of its own for the data (KILN_DATA_DIR).',
    )
  }
  const foreign: Buffer[] = []
  for (const name of own) if ((await lstat(within(handle, name))).uid !== user.uid) foreign.push(name)
  if (foreign.length > 0) await beforehand()
  for (const name of foreign) await give(handle, name, user, 1)
  if (status.uid !== user.uid) await handle.chown(user.uid, user.gid)
}

async function give(folder: FileHandle, name: Buffer, user: SystemUser, depth: number): Promise<void> {
  const path = within(folder, name)
  const status = await lstat(path)
  if (status.isDirectory()) {
    if (depth > deepest) return
    await using handle = await open(path, folderFlags)
    for (const each of await namesIn(handle)) await give(handle, each, user, depth + 1)
    await handle.chown(user.uid, user.gid)
  } else if (status.isFile()) {
    await using handle = await open(path, fileFlags)
    const opened = await handle.stat()
    if (!opened.isFile() || opened.nlink !== 1)
      throw new Error(`${name} in the data folder has a second name elsewhere. ${advice}`)
    await handle.chown(user.uid, user.gid)
  }
  // The owner of a link or a socket does not matter: the owner of the folder may remove it.
}

const advice =
  'Kiln gives its data to the user that it runs as, and will not give away a file that may be another. Copy the folder without hard links, and start with the copy.'

const namesIn = (folder: FileHandle): Promise<Buffer[]> =>
  readdir(`/proc/self/fd/${folder.fd}`, { encoding: 'buffer' })

const within = (folder: FileHandle, name: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`/proc/self/fd/${folder.fd}/`), name])
