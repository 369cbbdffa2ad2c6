import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import type { SystemUser } from './passwd.ts'

// Gives the data folder to the user that the service runs as: a new one, or one that an earlier version, which ran
// as root, has filled. Root does this, so nothing that lies in the folder may mislead it:
// - everything is named through the open folder that holds it, and no link is followed, so nothing outside the
//   folder is reached, whatever is moved meanwhile;
// - a file with a second name may be another user's, and is refused;
// - only Kiln's own files are given away, and only in a folder that is Kiln's.
//
// An entry is given away after what it holds. If that is interrupted, the next start goes on with it.

const ownNames =
  /^(?:postgres(?:-socket|-password.*|\.log(?:\.1)?|\.new-\d+)?|files|work|cache|kiln-(?:retry|try)-.*)$/
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const fileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
// What an engine of long ago left behind may be deeper than root has descriptors. It stays as it is.
const deepest = 100

/** `beforehand` is called once if something that another user made is there. */
export async function handOver(
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
  // Whose a link or a socket is makes no difference: the owner of the folder may remove it.
}

const advice =
  'Kiln gives its data to the user that it runs as, and will not give away a file that may be another. Copy the folder without hard links, and start with the copy.'

const namesIn = (folder: FileHandle): Promise<Buffer[]> =>
  readdir(`/proc/self/fd/${folder.fd}`, { encoding: 'buffer' })

const within = (folder: FileHandle, name: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`/proc/self/fd/${folder.fd}/`), name])
