import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/**
 * An open file with its first bytes. It is never read into memory as a whole. Reads are synchronous: the thread that
 * inspects it does nothing else.
 */
export interface Upload {
  readonly size: number
  /** Up to 64 KiB. */
  readonly head: Buffer
  read(position: number, length: number): Promise<Buffer>
}

const headBytes = 64 * 1024

export async function withUpload<T>(
  path: string,
  use: (upload: Upload) => Promise<T>,
  flags: number = constants.O_RDONLY,
): Promise<T> {
  const file = openSync(path, flags)
  try {
    const { size } = fstatSync(file)
    const read = async (position: number, length: number): Promise<Buffer> => {
      const wanted = Math.max(0, Math.min(length, size - position))
      const buffer = Buffer.alloc(wanted)
      let filled = 0
      while (filled < wanted) {
        const bytesRead = readSync(file, buffer, filled, wanted - filled, position + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return buffer.subarray(0, filled)
    }
    return await use({ size, head: await read(0, headBytes), read })
  } finally {
    closeSync(file)
  }
}

/** The same of a file that is small and in memory. */
export const uploadOf = (bytes: Buffer): Upload => ({
  size: bytes.length,
  head: bytes.subarray(0, headBytes),
  read: async (position, length) => bytes.subarray(position, position + length),
})

export const isZip = (head: Buffer): boolean => head.length >= 4 && head.readUInt32LE(0) === 0x04034b50
