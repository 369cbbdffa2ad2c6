import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { failed } from '../failure.ts'

export interface OpenedOutput {
  handle: FileHandle
  path: string
  size: number
}

const nothingUsable = (cause: unknown) =>
  failed.internal(
    'The converter left no usable output file. Try again; if it fails again, report the file.',
    cause,
  )

/**
 * Opens the output of an engine. A compromised engine may leave a symbolic link to a file of the host, a pipe that
 * blocks, a device, or a hard link to another file: none of these is opened or read. The caller closes the handle.
 */
export async function openOutput(folder: string, name: string): Promise<OpenedOutput> {
  if (name !== basename(name) || name === '.' || name === '..')
    throw nothingUsable(`not a plain name: ${name}`)
  const path = join(folder, name)
  let handle: FileHandle
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    throw nothingUsable(error)
  }
  try {
    const status = await handle.stat()
    if (!status.isFile()) throw nothingUsable('not a regular file')
    if (status.nlink !== 1) throw nothingUsable('the file has another name elsewhere')
    if (status.size === 0) throw nothingUsable('the file is empty')
    return { handle, path, size: status.size }
  } catch (error) {
    await handle.close()
    throw error
  }
}
