import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** The first bytes of a file that a sandboxed program may have left: follows no link and never blocks on a pipe. */
export async function readStart(path: string, length: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
