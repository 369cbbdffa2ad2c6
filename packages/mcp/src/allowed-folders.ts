import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'

// The only part of the disk that an agent can access. A path may be absolute or relative to the first folder; with
// links resolved, it has to be in one of the folders.
//
// A path that was checked can be changed before it is used, so files are not used by path. A file to read is opened
// without following a link in its last component, and the location of the opened file is checked. A folder to write
// into is opened as well, and the output is created relative to that handle. Where the system cannot resolve a handle
// to a path (outside of Linux), the path is checked once more after opening.

export class PathRefused extends Error {
  override name = 'PathRefused'
}

export interface InputFile {
  /** Name, for messages and for the format. */
  readonly name: string
  /** Where to read from: the file that was checked, even if its path has been changed since. */
  readonly path: string
  readonly bytes: number
  close(): Promise<void>
}

export interface OutputPlace {
  /** The path, for messages. */
  readonly shown: string
  /** The path to write to: a name below the folder that was checked. */
  readonly path: string
  close(): Promise<void>
}

export interface AllowedFolders {
  readonly folders: readonly string[]
  openInput(path: string): Promise<InputFile>
  openOutput(path: string): Promise<OutputPlace>
}

const onLinux = process.platform === 'linux'

export async function openAllowedFolders(paths: readonly string[]): Promise<AllowedFolders> {
  const folders = await Promise.all(paths.map((path) => realpath(path)))
  const [first] = folders
  if (first === undefined) throw new PathRefused('No folder is allowed.')
  const absolute = (path: string) => (isAbsolute(path) ? resolve(path) : join(first, path))
  const isInside = (place: string) =>
    folders.some((folder) => {
      const way = relative(folder, place)
      return way === '' || (way !== '..' && !way.startsWith('../') && !isAbsolute(way))
    })
  const outside = (path: string) =>
    new PathRefused(`${path} is not in ${folders.join(' or ')}, or leads out of there through a link.`)

  /** Opens a path and checks that the opened file is inside the allowed folders. */
  const openInside = async (path: string, flags: number, isRight: (facts: Stats) => boolean) => {
    const place = await realpath(absolute(path)).catch((error: NodeJS.ErrnoException) => {
      // A path outside gets the same answer as a missing file.
      if (isInside(absolute(path))) throw refusalOf(path, error)
      throw outside(path)
    })
    if (!isInside(place)) throw outside(path)
    const handle = await open(place, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error) => {
      throw refusalOf(path, error)
    })
    try {
      if (!isInside(await placeOf(handle, place))) throw outside(path)
      if (!isRight(await handle.stat())) throw new PathRefused(`${path} is not a regular file.`)
      return { handle, place }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  return {
    folders,
    async openInput(path) {
      const { handle, place } = await openInside(path, constants.O_RDONLY, (facts) => facts.isFile())
      const { size } = await handle.stat()
      const same = onLinux ? `/proc/self/fd/${handle.fd}` : place
      return { name: basename(place), path: same, bytes: size, close: () => handle.close() }
    },
    async openOutput(path) {
      const wanted = absolute(path)
      const name = basename(wanted)
      if (name === '' || /[/\\]$/.test(path)) throw new PathRefused(`${path} is a folder; name a file in it.`)
      const { handle, place } = await openInside(
        dirname(wanted),
        constants.O_RDONLY | constants.O_DIRECTORY,
        (facts) => facts.isDirectory(),
      )
      const folder = onLinux ? `/proc/self/fd/${handle.fd}` : place
      return { shown: join(place, name), path: join(folder, name), close: () => handle.close() }
    },
  }
}

/** Where an open file really is. */
async function placeOf(handle: FileHandle, path: string): Promise<string> {
  return onLinux ? realpath(`/proc/self/fd/${handle.fd}`) : realpath(path)
}

function refusalOf(path: string, error: NodeJS.ErrnoException): PathRefused {
  const reasons: Record<string, string> = {
    ENOENT: 'There is no such file or folder',
    ENOTDIR: 'A part of the path is not a folder',
    EACCES: 'Permission is denied',
    ELOOP: 'It is a link',
  }
  return new PathRefused(`${reasons[error.code ?? ''] ?? error.message}: ${path}`)
}
