import { type FileHandle, open } from 'node:fs/promises'
import { crc32, deflateRawSync } from 'node:zlib'

// Writes a zip archive anew with some of its parts replaced and others added. The other parts are copied as they are
// packed. LibreOffice refuses archives with gaps or with sizes that disagree, so every entry gets
// a fresh header from the directory and all lie end to end.

const endRecordBytes = 22
const headerBytes = 30
const recordBytes = 46
const directorySignature = 0x02014b50
const maxDirectoryBytes = 16 * 1024 * 1024
const chunkBytes = 256 * 1024

/** What parts are to hold, by lower-case name. */
export type NewParts = ReadonlyMap<string, string | Buffer>

/** Parts that the archive lacks are added to it. False when it is of a kind that this cannot edit. */
export async function replaceParts(source: string, target: string, parts: NewParts): Promise<boolean> {
  const input = await open(source, 'r')
  try {
    const found = await readDirectory(input)
    if (!found) return false
    const output = await open(target, 'wx', 0o644)
    try {
      await writeArchive(input, output, found, parts)
    } finally {
      await output.close()
    }
    return true
  } finally {
    await input.close()
  }
}

/** As the archive's directory tells them; none when it is of a kind that this cannot read. */
export async function partNames(source: string): Promise<string[]> {
  const input = await open(source, 'r')
  try {
    const found = await readDirectory(input)
    return found ? Array.from(records(found.bytes), ({ name }) => name) : []
  } finally {
    await input.close()
  }
}

interface Directory {
  bytes: Buffer
  end: Buffer
}

async function readDirectory(input: FileHandle): Promise<Directory | undefined> {
  const { size } = await input.stat()
  const tailAt = Math.max(0, size - endRecordBytes - 0xffff)
  const tail = await read(input, tailAt, size - tailAt)
  const at = tail.lastIndexOf('PK\x05\x06', tail.length - endRecordBytes, 'latin1')
  if (at === -1) return undefined
  const end = Buffer.from(tail.subarray(at, at + endRecordBytes))
  const length = end.readUInt32LE(12)
  const start = end.readUInt32LE(16)
  // Archives of more than 4 GB have their figures elsewhere; no upload is that large.
  if (start === 0xffffffff || length > maxDirectoryBytes) return undefined
  const bytes = await read(input, start, length)
  return isWithin(bytes, size) ? { bytes, end } : undefined
}

/** Do all parts lie in the file, and beside each other? Those that lie in each other would be written out one by one. */
function isWithin(directory: Buffer, size: number): boolean {
  let packed = 0
  for (const { at } of records(directory)) {
    packed += directory.readUInt32LE(at + 20)
    if (packed > size || directory.readUInt32LE(at + 42) + headerBytes > size) return false
  }
  return true
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}

async function writeArchive(
  input: FileHandle,
  output: FileHandle,
  { bytes: oldRecords, end }: Directory,
  parts: NewParts,
): Promise<void> {
  const found = new Set(Array.from(records(oldRecords), ({ name }) => name.toLowerCase()))
  const added = [...parts.keys()].filter((name) => !found.has(name))
  // First: what follows the last record, such as a signature, ends the list.
  const directory = Buffer.concat([...added.map(emptyRecord), oldRecords])
  let position = 0
  // Most parts are small: many are written at once.
  let waiting: Buffer[] = []
  let written = 0
  const flush = async () => {
    const bytes = Buffer.concat(waiting)
    waiting = []
    await output.write(bytes, 0, bytes.length, written)
    written += bytes.length
  }
  const write = async (bytes: Buffer) => {
    waiting.push(bytes)
    position += bytes.length
    if (position - written >= chunkBytes) await flush()
  }
  for (const record of records(directory)) {
    const part = parts.get(record.name.toLowerCase())
    const content = typeof part === 'string' ? Buffer.from(part, 'utf8') : part
    const packed = content && deflateRawSync(content, { level: 1 })
    const oldPosition = directory.readUInt32LE(record.at + 42)
    updateRecord(directory, record.at, position, content && packed ? { content, packed } : undefined)
    await write(localHeader(directory, record))
    if (packed) await write(packed)
    else await copyData(input, oldPosition, directory.readUInt32LE(record.at + 20), write)
  }
  const count = Math.min(0xffff, end.readUInt16LE(10) + added.length)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(position, 16)
  // The comment is left out.
  end.writeUInt16LE(0, 20)
  await write(directory)
  await write(end)
  await flush()
}

interface DirectoryRecord {
  at: number
  name: string
  nameBytes: Buffer
}

function* records(directory: Buffer): Generator<DirectoryRecord> {
  let at = 0
  while (at + recordBytes <= directory.length && directory.readUInt32LE(at) === directorySignature) {
    const nameLength = directory.readUInt16LE(at + 28)
    const nameBytes = directory.subarray(at + recordBytes, at + recordBytes + nameLength)
    yield { at, name: nameBytes.toString('utf8').replaceAll('\\', '/'), nameBytes }
    at += recordBytes + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
}

/** Of a part that is written later. */
function emptyRecord(name: string): Buffer {
  const record = Buffer.alloc(recordBytes)
  record.writeUInt32LE(directorySignature, 0)
  record.writeUInt16LE(20, 4)
  record.writeUInt16LE(20, 6)
  // Names are in UTF-8.
  record.writeUInt16LE(0x0800, 8)
  // The first day that an archive can tell.
  record.writeUInt16LE(0x21, 14)
  const nameBytes = Buffer.from(name)
  record.writeUInt16LE(nameBytes.length, 28)
  return Buffer.concat([record, nameBytes])
}

function updateRecord(
  directory: Buffer,
  at: number,
  position: number,
  replaced: { content: Buffer; packed: Buffer } | undefined,
): void {
  // Sizes stand in the header now, so no data descriptor (bit 3) follows the data.
  directory.writeUInt16LE(directory.readUInt16LE(at + 8) & ~0x0008, at + 8)
  directory.writeUInt32LE(position, at + 42)
  if (!replaced) return
  directory.writeUInt16LE(8, at + 10)
  directory.writeUInt32LE(crc32(replaced.content), at + 16)
  directory.writeUInt32LE(replaced.packed.length, at + 20)
  directory.writeUInt32LE(replaced.content.length, at + 24)
}

/** Version to sizes are the same fields in the same order in the record and in the header. */
function localHeader(directory: Buffer, { at, nameBytes }: DirectoryRecord): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32LE(0x04034b50, 0)
  directory.copy(header, 4, at + 6, at + 28)
  header.writeUInt16LE(nameBytes.length, 26)
  return Buffer.concat([header, nameBytes])
}

async function copyData(
  input: FileHandle,
  headerAt: number,
  length: number,
  write: (bytes: Buffer) => Promise<void>,
): Promise<void> {
  const header = await read(input, headerAt, headerBytes)
  const start = headerAt + headerBytes + header.readUInt16LE(26) + header.readUInt16LE(28)
  for (let done = 0; done < length; done += chunkBytes) {
    await write(await read(input, start + done, Math.min(chunkBytes, length - done)))
  }
}
