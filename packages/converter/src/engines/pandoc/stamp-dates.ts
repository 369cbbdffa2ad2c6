import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

// Under `--sandbox` pandoc has no clock, and dates its packages to the first second of 1970: the day that a
// word processor then shows as the document's. The one entry that holds the dates is written anew, and what
// lies behind it moves: LibreOffice refuses packages that have a gap between their entries.
//
// The package is untrusted like everything from a box: links are not followed, every figure is checked
// against the file, and a package that is not as expected is left as it is.

const unset = '1970-01-01T00:00:00Z'
const dated = new Set(['docProps/core.xml', 'meta.xml', 'EPUB/content.opf', 'content.opf'])

const largestDirectory = 8 * 1024 * 1024
const largestEntry = 1024 * 1024
const endLength = 22
const entryLength = 46
const localLength = 30
const chunkLength = 256 * 1024

export async function stampDates(path: string, now = new Date()): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const status = await file.stat()
    if (status.isFile() && status.size > endLength)
      await stamp(file, status.size, `${now.toISOString().slice(0, 19)}Z`)
  } finally {
    await file.close()
  }
}

async function stamp(file: FileHandle, size: number, date: string): Promise<void> {
  const end = await read(file, size - endLength, endLength)
  if (end.readUInt32LE(0) !== 0x06054b50) return
  const [directoryLength, directoryAt] = [end.readUInt32LE(12), end.readUInt32LE(16)]
  if (directoryLength > largestDirectory || directoryAt + directoryLength !== size - endLength) return
  const directory = await read(file, directoryAt, directoryLength)
  const entryAt = findEntry(directory)
  if (entryAt === undefined) return

  const localAt = directory.readUInt32LE(entryAt + 42)
  const packedLength = directory.readUInt32LE(entryAt + 20)
  const isDeflated = directory.readUInt16LE(entryAt + 10) === 8
  if (!isDeflated || packedLength > largestEntry || localAt + localLength > directoryAt) return
  const local = await read(file, localAt, localLength)
  const headLength = localLength + local.readUInt16LE(26) + local.readUInt16LE(28)
  if (local.readUInt32LE(0) !== 0x04034b50 || localAt + headLength + packedLength > directoryAt) return
  const head = await read(file, localAt, headLength)
  const packed = await read(file, localAt + headLength, packedLength)

  const text = unpacked(packed)
  if (!text?.includes(unset)) return
  const contents = Buffer.from(text.replaceAll(unset, date))
  const data = deflateRawSync(contents)

  // No data descriptor follows: the sizes stand in the head.
  for (const [header, at] of [
    [head, 6],
    [directory, entryAt + 8],
  ] as const) {
    header.writeUInt16LE(header.readUInt16LE(at) & ~8, at)
    const sizesAt = at + 8
    header.writeUInt32LE(crc32(contents), sizesAt)
    header.writeUInt32LE(data.length, sizesAt + 4)
    header.writeUInt32LE(contents.length, sizesAt + 8)
  }
  const behind = entries(directory)
    .map((at) => ({ at: at + 42, position: directory.readUInt32LE(at + 42) }))
    .filter(({ position }) => position > localAt && position < directoryAt)
  const restAt = behind.reduce((least, { position }) => Math.min(least, position), directoryAt)
  const shift = localAt + head.length + data.length - restAt
  for (const { at, position } of behind) directory.writeUInt32LE(position + shift, at)
  end.writeUInt32LE(directoryAt + shift, 16)
  await move(file, restAt, directoryAt, shift)
  await write(file, Buffer.concat([head, data]), localAt)
  await write(file, Buffer.concat([directory, end]), directoryAt + shift)
  await file.truncate(size + shift)
}

/** Moves the bytes from `start` to `end`. Those that would be written over are moved first. */
async function move(file: FileHandle, start: number, end: number, shift: number): Promise<void> {
  const positions: number[] = []
  for (let at = start; at < end; at += chunkLength) positions.push(at)
  if (shift > 0) positions.reverse()
  for (const at of positions)
    await write(file, await read(file, at, Math.min(chunkLength, end - at)), at + shift)
}

function unpacked(packed: Buffer): string | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: largestEntry }).toString('utf8')
  } catch {
    return undefined
  }
}

function findEntry(directory: Buffer): number | undefined {
  return entries(directory).find((at) => {
    const nameAt = at + entryLength
    return dated.has(directory.toString('utf8', nameAt, nameAt + directory.readUInt16LE(at + 28)))
  })
}

/** Where each entry of the directory begins. */
function entries(directory: Buffer): number[] {
  const found: number[] = []
  for (let at = 0; at + entryLength <= directory.length; ) {
    if (directory.readUInt32LE(at) !== 0x02014b50) return found
    found.push(at)
    const [name, extra, comment] = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset))
    at += entryLength + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return found
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead !== length) throw new Error('The package ends too early.')
  return buffer
}

async function write(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  const { bytesWritten } = await file.write(bytes, 0, bytes.length, position)
  if (bytesWritten !== bytes.length) throw new Error('The package could not be written.')
}
